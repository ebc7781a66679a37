import { SECOND } from '../../domain/units.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import type { ExitCode } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { screenOf } from '../reads/screen.ts'
import { routePath, parseJson } from '../route.ts'
import { thesisText } from './thesis-text.ts'

const POLL_INTERVAL = SECOND
const MAX_POLLS = 300

/** Waits until a thesis is formed, and prints it. */
export async function followFormation(client: Client, call: Call, id: string): Promise<ExitCode> {
  const { system, flags } = call
  if (!flags.has('quiet')) system.report('Forming.\n')
  const address = routePath('/api/thesis/:id', { id })
  for (let polls = 0; ; polls += 1) {
    const body = await client.get(address)
    if (parseJson(body).status !== 'forming' || polls === MAX_POLLS) {
      return printBody(call, body, (thesis) => thesisText(thesis, screenOf(system)))
    }
    await system.clock.sleep(POLL_INTERVAL, system.signal)
  }
}
