import { MINUTE, type Millis } from '../units.ts'
import type { Intent } from './intent.ts'

/** A condition in words is judged no more often than this, and a judgement is valid this long. */
export const JUDGEMENT_VALID_MS = 15 * MINUTE
const MAX_REASON_LENGTH = 300

/** The judgement of a condition in words. */
export interface SoftJudgement {
  readonly isMet: boolean
  readonly reason: string
}

/** Shape of a model's answer. */
export const JUDGEMENT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['met', 'reason'],
  properties: { met: { type: 'boolean' }, reason: { type: 'string' } },
} as const

/** Reads the answer of a model; null when it has another form. */
export function softJudgementIn(text: string): SoftJudgement | null {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from === -1 || to < from) return null
  let value: unknown
  try {
    value = JSON.parse(text.slice(from, to + 1))
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { met, reason } = value as Readonly<Record<string, unknown>>
  if (typeof met !== 'boolean' || typeof reason !== 'string') return null
  return { isMet: met, reason: reason.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH) }
}

type JudgedIntent = Pick<Intent, 'softCondition' | 'softState' | 'softJudgedAt'>

/** When the condition may be judged next; now or earlier if it was not judged yet. */
export const nextJudgementAt = ({ softJudgedAt }: JudgedIntent): Millis =>
  softJudgedAt === null ? (0 as Millis) : ((softJudgedAt + JUDGEMENT_VALID_MS) as Millis)

/** Whether nothing in words holds the intent back: no condition, or one that was judged met. */
export const isSoftMet = (intent: JudgedIntent, now: Millis): boolean =>
  intent.softCondition === null || (intent.softState === 'met' && now < nextJudgementAt(intent))

/** The waiting intent after a judgement. */
export const withJudgement = (
  intent: Intent,
  { isMet, reason }: SoftJudgement,
  at: Millis,
): Intent => ({
  ...intent,
  softState: isMet ? 'met' : 'not_met',
  softJudgedAt: at,
  statusReason: isMet ? null : `SOFT_CONDITION_NOT_MET: ${reason}`,
  updatedAt: at,
})

/** The waiting intent after a judgement that failed: its condition is as unknown as before. */
export const withoutJudgement = (intent: Intent, reason: string, at: Millis): Intent => ({
  ...intent,
  softState: 'waiting',
  softJudgedAt: at,
  statusReason: `SOFT_CONDITION_UNKNOWN: ${reason}`,
  updatedAt: at,
})
