import type { BackupRun } from '../api/account-types.ts'
import type { ApiFailure } from '../api/client.ts'
import type { Live } from '../api/live.ts'

export interface BackupOrder {
  /** Absolute; a folder that is new or empty. */
  readonly out: string
  /** Replace an older backup that stands there. */
  readonly force: boolean
  readonly withSecrets: boolean
}

const LOOK_EVERY = 500
const PATH = '/api/backups'

/** The backup that this window began, followed to its end whether a pane shows it or not. */
export class Backup {
  readonly #live: Live
  run = $state.raw<BackupRun | null>(null)
  failure = $state.raw<ApiFailure | null>(null)
  /** The service was asked to begin and has not answered. */
  starting = $state(false)
  readonly isRunning: boolean = $derived.by(
    () => this.starting || this.run?.state === 'running' || this.run?.state === 'queued',
  )

  constructor(live: Live) {
    this.#live = live
  }

  async start({ out, force, withSecrets }: BackupOrder): Promise<void> {
    if (this.isRunning) return
    this.starting = true
    this.failure = null
    this.run = null
    const body = { out, ...(force && { force }), ...(withSecrets && { withSecrets }) }
    const answer = await this.#live.send<{ id: string }>('POST', PATH, body)
    this.starting = false
    if (!answer.ok) {
      this.failure = answer.failure
      return
    }
    const { id } = answer.body
    this.run = {
      ...{ id, state: 'running', out, at: null, error: null },
      ...{ filesDone: 0, filesAll: null, rows: 0, bytes: 0 },
    }
    await this.#follow(id)
  }

  async cancel(): Promise<void> {
    if (this.run === null) return
    const answer = await this.#live.send('DELETE', `${PATH}/${this.run.id}`)
    // One that has just ended cannot be cancelled, and says so by its state.
    if (!answer.ok && answer.failure.status !== 409) this.failure = answer.failure
  }

  async #follow(id: string): Promise<void> {
    do {
      const answer = await this.#live.read<BackupRun>(`${PATH}/${id}`)
      if (answer?.ok === true) {
        this.run = answer.body
        this.failure = null
      } else if (answer !== null) {
        this.failure = answer.failure
        // A service that does not know it any more was started anew: nothing is left to follow.
        if (answer.failure.status === 404) {
          this.run = null
          return
        }
      }
      if (this.isRunning) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    } while (this.isRunning)
  }
}
