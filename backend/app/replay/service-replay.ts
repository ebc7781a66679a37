import type { ReplayControl } from '../../features/replay/replay.control.ts'
import type { ServedApp } from '../../http/server.ts'
import type { SocketEndpoint } from '../../http/upgrade.ts'
import type { ReplaySource } from '../../ingest/replay-source.ts'
import type { Clock } from '../../lib/clock.ts'

/** The replay that drives the data clock of a service. */
export interface ServiceReplay {
  readonly wallClock: Clock
  readonly replaySource: ReplaySource
  readonly control: ReplayControl
  /** Whether the gauges of the month before are computed. */
  readonly loadsHistory: boolean
  /** Clock of the context; it may lag behind while no request needs the context. */
  readonly contextClock: Clock
  /** Resolves when the context has caught up. */
  readonly beforeContext: () => Promise<void>
  /** Answers a request at an instant of the replay. */
  readonly answer: (request: Request, handle: ServedApp['handle']) => Promise<Response>
}

/** The app with each request answered at one instant of the replay. */
export const inReplay = (app: ServedApp, { answer }: ServiceReplay): ServedApp => ({
  routes: app.routes,
  handle: (request) => answer(request, (proxiedRequest) => app.handle(proxiedRequest)),
})

/** The socket endpoint with the context caught up first, so that a client receives the current world. */
export const endpointAfterContext = <Admission>(
  endpoint: SocketEndpoint<Admission>,
  { beforeContext }: ServiceReplay,
): SocketEndpoint<Admission> => ({
  ...endpoint,
  async admit(request, sender) {
    await beforeContext()
    return endpoint.admit(request, sender)
  },
})
