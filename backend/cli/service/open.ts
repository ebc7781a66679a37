import { openBrowser } from '../browser.ts'
import { parseJson } from '../route.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../failure.ts'
import { ownersClient } from './local-service.ts'
import { clean } from '../terminal/output.ts'

/** `augury open`: opens the terminal in the browser, signed in as the owner of the data folder. */
export const openCommand: Command = {
  name: 'open',
  synopsis: '[COMMAND]',
  summary: 'open the terminal in the browser, signed in',
  flags: {},
  argumentCount: [0, 100],
  async run(call) {
    const { flags, args: words, system } = call
    const body = await ownersClient(call).send('POST', '/api/auth/local')
    if (flags.has('json')) {
      system.print(`${body.trimEnd()}\n`)
      return EXIT.done
    }
    const { url } = parseJson(body)
    const command = words.join(' ')
    const address = command === '' ? url : `${url}&c=${encodeURIComponent(command)}`
    if (await openBrowser(address, system)) return EXIT.done
    // Valid for one minute and one use.
    system.print(`${clean(address)}\n`)
    return EXIT.done
  },
}
