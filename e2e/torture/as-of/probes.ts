import type { Operation } from '../../../backend/http/openapi.ts'
import { DAY } from '../../../backend/domain/units.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'
import type { Chance } from '../chance.ts'
import { at, placeOf, questionOf, withoutAsking, type Names } from './questions.ts'
import { twinOf } from './twins.ts'

/** An answer as it was given, and how the same is asked again later. */
export interface Probe {
  /** Given of the present, of the past, or by the data service, which knows the present alone. */
  readonly kind: 'live' | 'past' | 'data'
  /** Path of the read that must give it again. */
  readonly route: string
  readonly name: string
  readonly answer: string
  readonly again: () => Promise<string>
}

const PAST = 3 * DAY

/** Asks something by chance; null when the answer is no 200. */
export async function takeProbe(
  demo: DemoService,
  options: {
    readonly reads: readonly { path: string; operation: Operation }[]
    readonly names: Names
    readonly chance: Chance
  },
): Promise<Probe | null> {
  const { reads, names, chance } = options
  const now = demo.clock.now()
  const kind = chance.among(['live', 'live', 'live', 'past', 'data'] as const)
  if (kind === 'data') {
    const twin = twinOf(names.tickers, chance)
    const answer = await twin.now(demo)
    const name = `${twin.name} at ${new Date(now).toISOString()}`
    return { kind, route: twin.route, name, answer, again: () => twin.then(demo, now) }
  }
  const read = chance.among(reads)
  const path = await placeOf(read.path, (list) => demo.ask(list), chance)
  if (path === null) return null
  const question = questionOf({ ...read, path }, names, chance)
  const past = at(question, now - chance.whole(PAST))
  const ask = async (path: string): Promise<string> => withoutAsking(await demo.ask(path))
  const answer = await ask(kind === 'live' ? question : past)
  if (!answer.startsWith('200 ')) return null
  // As a text it names the minute alone, and cannot be asked for again.
  if (kind === 'live' && read.path in STATED && statedIn(read.path, answer) === null) return null
  const then = kind === 'live' ? at(question, statedIn(read.path, answer) ?? now) : past
  return { kind, route: read.path, name: `${kind} ${then}`, answer, again: () => ask(then) }
}

/** Reads that are given again for minutes, and where they say up to when they speak. */
const STATED: Readonly<Record<string, RegExp>> = {
  '/api/public/briefing': /"to":"([^"]+)"/,
  '/api/public/query': /"meta":\{[^}]*"ts":"([^"]+)"/,
}

/** The instant that an answer says it is about; null where it is the one at which it was asked. */
function statedIn(path: string, answer: string): number | null {
  const instant = STATED[path]?.exec(answer)?.[1]
  return instant === undefined ? null : Date.parse(instant)
}
