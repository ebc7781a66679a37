import { SECOND } from '../../domain/units.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import type { ExitCode } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { screenOf } from '../reads/screen.ts'
import { routePath, parseJson } from '../route.ts'
import { thesisText } from './thesis-text.ts'

const FORMING_EVERY = SECOND
const FORMING_MOST = 300

/** Waits until a thesis is formed, and prints it. */
export async function followFormation(client: Client, call: Call, id: string): Promise<ExitCode> {
  const { system, flags } = call
  if (!flags.has('quiet')) system.report('Forming.\n')
  const address = routePath('/api/thesis/:id', { id })
  for (let turn = 0; ; turn += 1) {
    const body = await client.get(address)
    if (parseJson(body).status !== 'forming' || turn === FORMING_MOST) {
      return printBody(call, body, (thesis) => thesisText(thesis, screenOf(system)))
    }
    await system.clock.sleep(FORMING_EVERY, system.signal)
  }
}
