import { parseJson } from '../route.ts'
import type { Command } from '../command.ts'
import { beginningOf } from '../service/config-keys.ts'
import { CliFailure, EXIT } from '../failure.ts'
import { lines, text } from '../terminal/output.ts'

/** `augury whoami`: the user of the key, and its service. */
export const whoamiCommand: Command = {
  name: 'whoami',
  synopsis: '',
  summary: 'show the user of the key and the service',
  flags: {},
  argumentCount: [0, 0],
  async run({ flags, settings, client, system }) {
    const { apiKey, apiUrl } = settings
    if (apiKey === null) {
      throw new CliFailure(EXIT.credential, 'NO_KEY', `No key for ${apiUrl}`, {
        advice: 'Sign in with: augury login',
      })
    }
    const body = await client.get('/api/auth/me')
    if (flags.has('json')) {
      system.print(`${body.trimEnd()}\n`)
      return EXIT.done
    }
    const { user } = parseJson(body)
    const facts = lines([
      ['name', text(user.name)],
      ['email', text(user.email)],
      ['tier', text(user.tier)],
      ['key', beginningOf(apiKey)],
      ['address', text(apiUrl)],
    ])
    system.print(`${facts}\n`)
    return EXIT.done
  },
}
