import { once } from 'node:events'
import { systemClock } from '../../../backend/lib/clock.ts'
import type { Chance } from '../chance.ts'
import type { RunningService } from '../running-service.ts'
import type { AcknowledgedRows } from './acknowledged-rows.ts'
import { RequestRefused, type Client } from './client.ts'
import { WRITE_KINDS, type WriteKind } from './write-kinds.ts'

/** Maximum responses before the kill; concurrent writers send more. */
const MAX_ANSWERS = 120
/** Longest time from the last of them to the kill, so that it occurs between responses. */
const LATEST_MS = 20

/** A write whose response a kill interrupted. */
export interface CutWrite {
  readonly kind: WriteKind
  readonly name: string
}

/** The writes between two starts of a campaign. */
export class Writers {
  readonly refused: string[] = []
  readonly #rows: AcknowledgedRows
  #names = 0

  constructor(rows: AcknowledgedRows) {
    this.#rows = rows
  }

  /**
   * All kinds of writes concurrently, until the service is killed. @returns the interrupted writes
   */
  async writeUntilKilled(
    service: RunningService,
    client: Client,
    chance: Chance,
  ): Promise<CutWrite[]> {
    const killAfter = 1 + chance.integer(MAX_ANSWERS)
    const later = chance.integer(LATEST_MS)
    const killed = new AbortController()
    const isOver = (): boolean => killed.signal.aborted
    const cut: CutWrite[] = []
    let answers = 0
    const enough = new AbortController()
    const answered = (): void => {
      answers += 1
      if (answers >= killAfter) enough.abort()
    }
    const kill = async (): Promise<void> => {
      if (!enough.signal.aborted) await once(enough.signal, 'abort')
      await systemClock.sleep(later)
      killed.abort()
      await service.kill()
    }
    const writeOn = async (kind: WriteKind): Promise<void> => {
      for (let n = 0; n < kind.maxPerStart && !isOver(); n++) {
        const name = `write-${String((this.#names += 1)).padStart(6, '0')}`
        try {
          await this.#write(client, { kind, name }, answered)
        } catch (error) {
          // Interrupted writes were not acknowledged.
          if (!isOver()) throw error
          cut.push({ kind, name })
        }
      }
    }
    const killing = kill()
    await Promise.all(WRITE_KINDS.map(writeOn))
    // Fewer answers than that may be allowed.
    enough.abort()
    await killing
    return cut
  }

  /** Repeats interrupted writes where allowed; none may be stored twice. */
  async repeat(client: Client, cut: readonly CutWrite[]): Promise<void> {
    for (const write of cut) {
      if (write.kind.isRepeatable === true) await this.#write(client, write, () => {}, true)
    }
  }

  async #write(
    client: Client,
    { kind, name }: CutWrite,
    answered: () => void,
    isRepeated = false,
  ): Promise<void> {
    try {
      const rows = await kind.add(client, name)
      for (const { table, id } of rows) this.#rows.add(table, id, isRepeated)
      answered()
      for (const { table, id, remove } of rows) {
        if (remove === undefined) continue
        this.#rows.removal(table, id, 'requested')
        await remove()
        this.#rows.removal(table, id, 'acknowledged')
        answered()
      }
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      this.refused.push(error.message)
    }
  }
}
