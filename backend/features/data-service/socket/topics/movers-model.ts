import type { MoverWindow, V1Mover } from '../../../../contract/data-service.ts'
import type { MoversDelta } from '../../../../contract/socket.ts'
import type { SocketSources, TopicTime } from '../sources.ts'
import { newestOf, type Change, type TopicModel } from './topic-model.ts'

const MAX_MOVERS = 20

/** `movers:<window>`: the whole list on each change, checked every 5 seconds. */
export class MoversModel implements TopicModel {
  readonly minInterval = 5_000
  readonly #window: MoverWindow
  readonly #sources: SocketSources
  readonly #time: TopicTime
  #reportedMovers: readonly V1Mover[] = []
  #text = '[]'
  #checkedAt = 0

  constructor(window: MoverWindow, sources: SocketSources, time: TopicTime) {
    this.#window = window
    this.#sources = sources
    this.#time = time
  }

  async open(): Promise<void> {
    await this.changes()
  }

  receive(): boolean {
    return false
  }

  isDue(): boolean {
    return this.#time.monotonic() - this.#checkedAt >= this.minInterval
  }

  async changes(): Promise<readonly object[]> {
    this.#checkedAt = this.#time.monotonic()
    const movers = await this.#sources.movers(this.#window, MAX_MOVERS)
    const text = JSON.stringify(movers)
    if (text === this.#text) return []
    this.#text = text
    this.#reportedMovers = movers
    return [{ movers } satisfies MoversDelta]
  }

  snapshot(): object {
    return { window: this.#window, movers: this.#reportedMovers }
  }

  merge(changes: readonly Change[]): ReturnType<TopicModel['merge']> {
    return newestOf(changes, changes.at(-1)?.data ?? {})
  }

  close(): void {
    this.#reportedMovers = []
  }
}
