import type { Operation } from '../../../backend/http/routes/openapi.ts'
import { DAY } from '../../../backend/domain/units.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'
import type { Chance } from '../chance.ts'
import { at, placeOf, questionOf, withoutRequestFields, type Names } from './questions.ts'
import { twinOf } from './twins.ts'

/** A recorded answer, and how the same read is repeated later. */
export interface Probe {
  /** About the present, about the past, or of the data service, which knows only the present. */
  readonly kind: 'live' | 'past' | 'data'
  /** Path of the repeated read. */
  readonly route: string
  readonly name: string
  readonly answer: string
  readonly again: () => Promise<string>
}

const PAST = 3 * DAY

/** Sends a random read; null when the response is not 200. */
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
  const past = at(question, now - chance.integer(PAST))
  const ask = async (path: string): Promise<string> => withoutRequestFields(await demo.ask(path))
  const answer = await ask(kind === 'live' ? question : past)
  if (!answer.startsWith('200 ')) return null
  // The text form names only the minute, and cannot be repeated.
  if (kind === 'live' && read.path in STATED && statedIn(read.path, answer) === null) return null
  const then = kind === 'live' ? at(question, statedIn(read.path, answer) ?? now) : past
  return { kind, route: read.path, name: `${kind} ${then}`, answer, again: () => ask(then) }
}

/** The response to a path without `asOf`, at present; throws when it is not 200. */
export async function takeChangingProbe(demo: DemoService, path: string): Promise<Probe> {
  const then = at(path, demo.clock.now())
  const ask = async (requested: string): Promise<string> =>
    withoutRequestFields(await demo.ask(requested))
  const answer = await ask(path)
  if (!answer.startsWith('200 ')) throw new Error(`${path}: ${answer.slice(0, 200)}`)
  const route = path.replace(/\?.*/, '')
  return { kind: 'live', route, name: `live ${then}`, answer, again: () => ask(then) }
}

/** Reads that are cached for minutes, and the fields with their instant. */
const STATED: Readonly<Record<string, RegExp>> = {
  '/api/public/briefing': /"to":"([^"]+)"/,
  '/api/public/query': /"meta":\{[^}]*"ts":"([^"]+)"/,
}

/** The instant of an answer by its own fields; null when it is the time of the request. */
function statedIn(path: string, answer: string): number | null {
  const instant = STATED[path]?.exec(answer)?.[1]
  return instant === undefined ? null : Date.parse(instant)
}
