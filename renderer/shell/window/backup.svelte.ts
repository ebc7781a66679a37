import type { BackupRun, StartBackup } from '../../../backend/contract/operations.ts'
import type { ApiFailure } from '../../api/client.ts'
import { pathOf, targetOf } from '../../api/path.ts'
import type { Live } from '../../api/live.ts'

const CHECK_INTERVAL = 500

/** The backup that this window started, polled to its end whether a pane shows it or not. */
export class Backup {
  readonly #live: Live
  run = $state.raw<BackupRun | null>(null)
  failure = $state.raw<ApiFailure | null>(null)
  /** The start was requested and not confirmed yet. */
  isStarting = $state(false)
  readonly isRunning: boolean = $derived.by(
    () => this.isStarting || this.run?.state === 'running' || this.run?.state === 'queued',
  )

  constructor(live: Live) {
    this.#live = live
  }

  async start({ out, force, withSecrets }: Required<StartBackup>): Promise<void> {
    if (this.isRunning) return
    this.isStarting = true
    this.failure = null
    this.run = null
    const body = { out, ...(force && { force }), ...(withSecrets && { withSecrets }) }
    const answer = await this.#live.send('POST', '/api/backups', body)
    this.isStarting = false
    if (!answer.ok) {
      this.failure = answer.failure
      return
    }
    const { id } = answer.body
    this.run = {
      id,
      state: 'running',
      out,
      at: null,
      error: null,
      filesDone: 0,
      filesAll: null,
      rows: 0,
      bytes: 0,
      startedAt: null,
      endedAt: null,
    }
    await this.#follow(id)
  }

  async cancel(): Promise<void> {
    if (this.run === null) return
    const answer = await this.#live.send(
      'DELETE',
      targetOf('/api/backups/:id', { id: this.run.id }),
    )
    // A backup that has just ended cannot be cancelled; its state shows that.
    if (!answer.ok && answer.failure.status !== 409) this.failure = answer.failure
  }

  async #follow(id: string): Promise<void> {
    do {
      const answer = await this.#live.read(pathOf('/api/backups/:id', { id }))
      if (answer?.ok === true) {
        this.run = answer.body
        this.failure = null
      } else if (answer !== null) {
        this.failure = answer.failure
        // A service that does not know the backup was restarted: polling ends.
        if (answer.failure.status === 404) {
          this.run = null
          return
        }
      }
      if (this.isRunning) await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL))
    } while (this.isRunning)
  }
}

const backups = new WeakMap<Live, Backup>()

/** The backup of a window; the panes that start and show one share it. */
export function backupOf(live: Live): Backup {
  const backup = backups.get(live) ?? new Backup(live)
  backups.set(live, backup)
  return backup
}
