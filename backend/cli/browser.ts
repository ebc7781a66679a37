import { spawn } from 'node:child_process'
import { sleepUnless } from '../lib/clock.ts'
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

/** Some openers become the browser: one that still runs after this time has opened it. */
const MAX_WAIT_MS = 3_000

/** Opens the address in a browser; resolves with whether that worked. */
export function openBrowser(
  address: string,
  system: Pick<CliEnvironment, 'platform' | 'env' | 'clock' | 'signal'>,
): Promise<boolean> {
  const opener = openerOf(system)
  if (opener === null) return Promise.resolve(false)
  const [program, ...args] = opener
  const cancelTimeout = new AbortController()
  const exitResult = new Promise<boolean>((resolve) => {
    const child = spawn(program, [...args, address], {
      stdio: 'ignore',
      env: { ...system.env },
      // Detached and not referenced, a browser outlives the command and ignores its Ctrl-C.
      detached: system.platform !== 'win32',
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.unref()
  })
  const timeout = sleepUnless(
    AbortSignal.any([system.signal, cancelTimeout.signal]),
    system.clock,
    MAX_WAIT_MS,
  )
  return Promise.race([exitResult, timeout.then(() => true)]).finally(() => cancelTimeout.abort())
}
