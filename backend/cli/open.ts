import { spawn } from 'node:child_process'
import type { Command, Surroundings } from './command.ts'
import { EXIT } from './failure.ts'
import { ownersClient } from './local-service.ts'

/** `augury open`: the terminal in the browser, signed in as the owner of the data folder. */
export const openCommand: Command = {
  name: 'open',
  synopsis: '[COMMAND]',
  summary: 'the terminal in the browser, signed in',
  flags: {},
  words: [0, 100],
  async run(call) {
    const { flags, words, around } = call
    const body = await ownersClient(call).send('POST', '/api/auth/local')
    if (flags.on('json')) {
      around.print(`${body.trimEnd()}\n`)
      return EXIT.done
    }
    const { url } = JSON.parse(body) as { url: string }
    const command = words.join(' ')
    const address = command === '' ? url : `${url}&c=${encodeURIComponent(command)}`
    if (await opens(address, around)) return EXIT.done
    // Good for a minute, and for one who opens it.
    around.print(`${address}\n`)
    return EXIT.done
  },
}

/** The program that opens an address in the user's browser; null where there is no desktop. */
function openerOf({ platform, env }: Surroundings): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasDesktop = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasDesktop ? ['xdg-open'] : null
}

/** Whether a browser was told to open the address. */
function opens(address: string, around: Surroundings): Promise<boolean> {
  const opener = openerOf(around)
  if (opener === null) return Promise.resolve(false)
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], { stdio: 'ignore', env: { ...around.env } })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
