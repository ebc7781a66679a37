import type { Millis } from '../../domain/units.ts'
import { attachCaller, callerOf } from '../../http/auth/auth.ts'
import type { Recorder } from '../../jobs/replay/recorder.ts'
import type { RecordedRequest } from '../../jobs/replay/recording.ts'
import { InvalidInput } from '../../lib/errors.ts'

type Handle = (request: Request) => Response | Promise<Response>

/** Paths whose answers do not depend on snapshots and worlds, live or stored. */
const WITHOUT_CONTEXT =
  /^\/api\/(?:replay|intents|portfolio|keys|health)(?:\/|$)|^\/api\/public\/(?:markets|market\/[^/]+\/candles)$/
/**
 * Paths whose writes change trading; a recording holds exactly these. Ticks trade theses. A
 * replay trades on paper, so that credentials change nothing, and they are not recorded.
 */
const TRADING = /^\/api\/(?:intents|portfolio(?!\/secrets)|thesis)(?:\/|$)/
const readsContext = (pathname: string): boolean => !WITHOUT_CONTEXT.test(pathname)
/** A thesis may be named by the first characters of its id. */
const MIN_ID_LENGTH = 8

/** The time of a replay, for requests. */
export interface TimeOfReplay {
  readonly now: () => Millis
  /** Runs work while data time is paused. */
  readonly whilePaused: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when snapshots and worlds have caught up with data time. */
  readonly beforeContext: () => Promise<void>
  /** The same, for work that runs while data time is paused. */
  readonly catchUp: () => Promise<void>
  /** Resolves when the work started by a request is done. */
  readonly settled: () => Promise<void>
}

/**
 * Answers requests in a replay. A request that may read the context waits until the context has
 * caught up. A request that changes trading runs at one instant, together with all its effects,
 * and is recorded.
 */
export async function answerInReplay(
  request: Request,
  handle: Handle,
  time: TimeOfReplay,
  recorder: Recorder | null,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET' || !TRADING.test(pathname)) {
    if (readsContext(pathname)) await time.beforeContext()
    return handle(request)
  }
  return time.whilePaused(async () => {
    if (readsContext(pathname)) await time.catchUp()
    const body = recorder === null ? '' : await request.clone().text()
    const answer = await handle(request)
    await time.settled()
    if (recorder !== null) await recordWrite({ request, body, answer, at: time.now() }, recorder)
    return answer
  })
}

async function recordWrite(
  { request, body, answer, at }: { request: Request; body: string; answer: Response; at: Millis },
  recorder: Recorder,
): Promise<void> {
  const caller = callerOf(request)
  if (!answer.ok || caller === null) return
  const { pathname, search } = new URL(request.url)
  recorder.append({
    kind: 'request',
    at,
    userId: caller.userId,
    method: request.method,
    path: `${pathname}${search}`,
    body,
    made: await idIn(answer),
    repeatKey: request.headers.get('idempotency-key'),
  })
}

/**
 * Repeats a recorded request while data time is paused; ids created since the beginning are mapped
 * to the current ones.
 */
export async function repeatRequest(
  recordedRequest: RecordedRequest,
  handle: Handle,
  ids: Map<string, string>,
  time: Pick<TimeOfReplay, 'catchUp'>,
): Promise<void> {
  const { userId, method, repeatKey, made } = recordedRequest
  const path = recordedRequest.path.replace(/[^/?]+/g, (part) => currentId(part, ids))
  const body = recordedRequest.body.replace(/[^"]+/g, (part) => ids.get(part) ?? part)
  if (readsContext(path.split('?')[0] ?? path)) await time.catchUp()
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
    const message = (await answer.text()).slice(0, 300)
    throw new InvalidInput(
      `${method} ${recordedRequest.path} was accepted when it was recorded and is refused now: ${message}. The history may be a different one.`,
    )
  }
  const id = await idIn(answer)
  if (made !== null && id !== null) ids.set(made, id)
}

/** The current id for a recorded id; other texts are unchanged. */
function currentId(part: string, ids: ReadonlyMap<string, string>): string {
  const existing = ids.get(part)
  if (existing !== undefined || part.length < MIN_ID_LENGTH) return existing ?? part
  const [match, ...others] = [...ids].filter(([recordedId]) => recordedId.startsWith(part))
  return match === undefined || others.length > 0 ? part : match[1]
}

async function idIn(answer: Response): Promise<string | null> {
  try {
    const { id } = (await answer.clone().json()) as { id?: unknown }
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
