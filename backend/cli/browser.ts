import { spawn } from 'node:child_process'
import type { CliEnvironment } from './command.ts'

/** The program that opens an address in the user's browser; null without a desktop. */
function openerOf({
  platform,
  env,
}: Pick<CliEnvironment, 'platform' | 'env'>): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasDesktop = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasDesktop ? ['xdg-open'] : null
}

/** Opens the address in a browser; resolves when its program ends with whether that worked. */
export function openBrowser(
  address: string,
  system: Pick<CliEnvironment, 'platform' | 'env'>,
): Promise<boolean> {
  const opener = openerOf(system)
  if (opener === null) return Promise.resolve(false)
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], {
      stdio: 'ignore',
      env: { ...system.env },
      // Some openers become the browser itself: detached, it outlives the command and ignores its
      // Ctrl-C.
      detached: system.platform !== 'win32',
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
