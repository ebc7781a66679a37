import type { Millis } from '../../../../domain/units.ts'
import type { WorldFeed } from '../sources.ts'
import { newestOf, type Change, type TopicModel } from './topic-model.ts'

/** A change of the world: the step from one stored snapshot to the next. */
interface Step {
  readonly from: Millis
  readonly to: Millis
}
const stepsOf = new WeakMap<object, Step>()

/** `world` and `world:<path>`: a delta with each stored snapshot. */
export class WorldModel implements TopicModel {
  readonly minInterval = 0
  readonly #path: string
  readonly #world: WorldFeed
  #reportedSnapshot: { readonly at: Millis; readonly data: object } | null = null
  #storedAt: Millis | null = null
  readonly #stop: () => void

  constructor(path: string, world: WorldFeed) {
    this.#path = path
    this.#world = world
    this.#stop = world.onStored((at) => {
      this.#storedAt = at
    })
  }

  async open(): Promise<void> {
    this.#reportedSnapshot = await this.#world.latest(this.#path)
  }

  receive(): boolean {
    return false
  }

  isDue(): boolean {
    return (
      this.#reportedSnapshot !== null &&
      this.#storedAt !== null &&
      this.#storedAt > this.#reportedSnapshot.at
    )
  }

  async changes(): Promise<readonly object[] | null> {
    if (this.#reportedSnapshot === null || !this.isDue()) return []
    const previous = this.#reportedSnapshot
    const next = await this.#world.latest(this.#path)
    const data = this.#world.deltaBetween(this.#path, previous.at, next.at)
    if (data === null) return null
    this.#reportedSnapshot = next
    stepsOf.set(data, { from: previous.at, to: next.at })
    return [data]
  }

  snapshot(): object {
    if (this.#reportedSnapshot === null) throw new Error('the topic is not open')
    return this.#reportedSnapshot.data
  }

  merge(changes: readonly Change[]): ReturnType<TopicModel['merge']> {
    const first = changes[0] && stepsOf.get(changes[0].data)
    const last = changes.at(-1)
    const until = last && stepsOf.get(last.data)
    if (first === undefined || until === undefined) return null
    const data = this.#world.deltaBetween(this.#path, first.from, until.to)
    return data === null ? null : newestOf(changes, data)
  }

  close(): void {
    this.#stop()
    this.#reportedSnapshot = null
  }
}
