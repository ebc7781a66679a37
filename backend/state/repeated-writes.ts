import { createHash } from 'node:crypto'
import { DAY, type Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'
import { Conflict, InvalidInput } from '../lib/errors.ts'
import type { State } from './open.ts'

const KEY = /^[\x20-\x7e]{8,128}$/
/** How long a key repeats its answer. */
const IDEMPOTENCY_WINDOW = DAY

/** @throws InvalidInput for a key that is too short or too long, or has other characters */
export function checkIdempotencyKey(key: string): void {
  if (KEY.test(key)) return
  throw new InvalidInput('Idempotency-Key must be 8 to 128 printable characters')
}

/** A write as its idempotency key identifies it. */
export interface RepeatableWrite {
  readonly userId: string
  readonly route: string
  /** `Idempotency-Key` of the request; null for a write that is not repeated. */
  readonly key: string | null
  readonly body: unknown
}

/** How answers that hold a secret are stored. */
export interface AnswerSeal {
  readonly seal: (answer: string) => string
  readonly open: (sealedText: string) => string
}
/** Answers without a secret are stored as they are. */
const PLAINTEXT: AnswerSeal = { seal: (answer) => answer, open: (sealedText) => sealedText }

/**
 * Repeats the answers of writes that carry an idempotency key.
 * @param seal encrypts the stored answers of routes that answer with a secret
 */
export function createRepeatedWrites(
  state: State,
  clock: Pick<Clock, 'now'>,
  { seal, open }: AnswerSeal = PLAINTEXT,
) {
  const pendingKeys = new Set<string>()
  return {
    /**
     * Runs a write, or returns its stored answer when the same key and body came within a day.
     * @throws Conflict for a key with another body, and while the first request runs
     */
    async run<T>(
      { userId, route, key, body }: RepeatableWrite,
      write: () => Promise<T>,
    ): Promise<T> {
      if (key === null) return write()
      checkIdempotencyKey(key)
      const name = JSON.stringify([userId, route, key])
      if (pendingKeys.has(name)) {
        throw new Conflict(
          'the first request with this Idempotency-Key is unfinished',
          'IN_PROGRESS',
        )
      }
      pendingKeys.add(name)
      try {
        const bodyHash = createHash('sha256')
          .update(JSON.stringify(body ?? null))
          .digest('hex')
        const since = (clock.now() - IDEMPOTENCY_WINDOW) as Millis
        const storedAnswer = await state
          .selectFrom('repeated_write')
          .select(['body_hash', 'answer'])
          .where('user_id', '=', userId)
          .where('route', '=', route)
          .where('key', '=', key)
          .where('made_at', '>', since)
          .executeTakeFirst()
        if (storedAnswer !== undefined && storedAnswer.body_hash !== bodyHash) {
          throw new Conflict(
            'this Idempotency-Key was sent with another body',
            'IDEMPOTENCY_MISMATCH',
          )
        }
        if (storedAnswer !== undefined) return JSON.parse(open(storedAnswer.answer)) as T
        const answer = await write()
        const row = {
          user_id: userId,
          route,
          key,
          body_hash: bodyHash,
          made_at: clock.now(),
          answer: seal(JSON.stringify(answer)),
        }
        await state.transaction().execute(async (transaction) => {
          await transaction
            .deleteFrom('repeated_write')
            .where('user_id', '=', userId)
            .where('made_at', '<=', since)
            .execute()
          await transaction
            .insertInto('repeated_write')
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'route', 'key']).doUpdateSet(row),
            )
            .execute()
        })
        return answer
      } finally {
        pendingKeys.delete(name)
      }
    },
  }
}
export type RepeatedWrites = ReturnType<typeof createRepeatedWrites>
