import type { Millis } from './domain/units.ts'
import { attachCaller, callerOf } from './http/auth.ts'
import type { Recorder } from './jobs/replay/recorder.ts'
import type { RecordedRequest } from './jobs/replay/recording.ts'
import { InvalidInput } from './lib/errors.ts'

type Handle = (request: Request) => Response | Promise<Response>

/** Addresses that tell nothing of grids and worlds, nor of what is stored of them. */
const WITHOUT_CONTEXT =
  /^\/api\/(?:replay|intents|portfolio|keys|health)(?:\/|$)|^\/api\/public\/(?:markets|market\/[^/]+\/candles)$/
/** Addresses whose writes change what is traded: they are what a recording holds. */
const TRADING = /^\/api\/(?:intents|portfolio)(?:\/|$)/

/** The time of a replay, to requests. */
export interface TimeOfReplay {
  readonly now: () => Millis
  /** Works while time stands still. */
  readonly whileStill: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when grids and worlds have caught up with the time. */
  readonly beforeContext: () => Promise<void>
  /** Resolves when what was begun by a request is done. */
  readonly settled: () => Promise<void>
}

/**
 * Answers requests in a replay. Whatever may read the context waits until it has caught up; what
 * changes trading is done at one instant, with all that follows from it, and written down.
 */
export async function answerInReplay(
  request: Request,
  handle: Handle,
  time: TimeOfReplay,
  recorder: Recorder | null,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (!WITHOUT_CONTEXT.test(pathname)) await time.beforeContext()
  if (request.method === 'GET' || !TRADING.test(pathname)) return handle(request)
  return time.whileStill(async () => {
    const body = recorder === null ? '' : await request.clone().text()
    const answer = await handle(request)
    await time.settled()
    if (recorder !== null) await noteWrite({ request, body, answer, at: time.now() }, recorder)
    return answer
  })
}

async function noteWrite(
  { request, body, answer, at }: { request: Request; body: string; answer: Response; at: Millis },
  recorder: Recorder,
): Promise<void> {
  const caller = callerOf(request)
  if (!answer.ok || caller === null) return
  const { pathname, search } = new URL(request.url)
  recorder.note({
    ...{ kind: 'request', at, userId: caller.userId, method: request.method },
    ...{ path: `${pathname}${search}`, body, made: await idIn(answer) },
    repeatKey: request.headers.get('idempotency-key'),
  })
}

/** Sends a recorded request once more; ids of what was made since the beginning are theirs of now. */
export async function repeatRequest(
  recorded: RecordedRequest,
  handle: Handle,
  ids: Map<string, string>,
): Promise<void> {
  const { userId, method, body, repeatKey, made } = recorded
  const path = recorded.path.replace(/[^/?]+/g, (word) => ids.get(word) ?? word)
  const request = new Request(`http://replay.local${path}`, {
    method,
    headers: {
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...(repeatKey !== null && { 'idempotency-key': repeatKey }),
    },
    ...(body !== '' && { body }),
  })
  const credential = { kind: 'launch', id: null } as const
  attachCaller(request, { id: userId, userId, isAdmin: false, tier: 'free', credential })
  const answer = await handle(request)
  if (!answer.ok) {
    const said = (await answer.text()).slice(0, 300)
    throw new InvalidInput(`${method} ${recorded.path} was taken when it was recorded and is refused now: ${said}. Is it another history?`) // prettier-ignore
  }
  const id = await idIn(answer)
  if (made !== null && id !== null) ids.set(made, id)
}

async function idIn(answer: Response): Promise<string | null> {
  try {
    const { id } = (await answer.clone().json()) as { id?: unknown }
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
