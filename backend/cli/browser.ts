import { spawn } from 'node:child_process'
import type { Surroundings } from './command.ts'

/** The program that opens an address in the user's browser; null where there is no desktop. */
function openerOf({
  platform,
  env,
}: Pick<Surroundings, 'platform' | 'env'>): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasDesktop = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasDesktop ? ['xdg-open'] : null
}

/** Whether a browser was told to open the address; resolves when its program ends. */
export function openBrowser(
  address: string,
  around: Pick<Surroundings, 'platform' | 'env'>,
): Promise<boolean> {
  const opener = openerOf(around)
  if (opener === null) return Promise.resolve(false)
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], {
      ...{ stdio: 'ignore', env: { ...around.env } },
      // Some openers become the browser: it outlives the command, and does not hear its Ctrl-C.
      detached: around.platform !== 'win32',
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
