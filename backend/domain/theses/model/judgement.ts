import { Corrections, field, objectIn, textIn } from './model-answer.ts'
import type { MetKill } from '../kill-conditions.ts'
import type { JudgedShift } from '../rules-evaluation.ts'

/** Log-odds of the bearing of a signal on a condition (methodology H4). */
const CLASSES: ReadonlyMap<unknown, number> = new Map([
  ['strong_for', 0.8],
  ['for', 0.4],
  ['neutral', 0],
  ['against', -0.4],
  ['strong_against', -0.8],
])
const MAX_JUDGEMENTS = 500
const MAX_SUMMARY_LENGTH = 500

/** The accepted and the rejected parts of a model's answer. */
export interface ReadJudgement {
  readonly shifts: readonly JudgedShift[]
  /** Kill conditions in words that the signals meet. */
  readonly kills: readonly MetKill[]
  readonly corrections: readonly string[]
  readonly summary: string | null
}

/**
 * Reads the classes that a model gave to signals, and the kill conditions in words that it found met. Only
 * known conditions, signals and classes count, each pair once; no number of the model is used. Null when
 * the answer is not in the requested form.
 * @param killTexts kill conditions in words, by condition
 */
export function judgementIn(
  text: string,
  nodeIds: ReadonlySet<string>,
  signalIds: ReadonlySet<string>,
  killTexts: ReadonlyMap<string, string> = new Map(),
): ReadJudgement | null {
  const answer = objectIn(text)
  const judgements = field(answer, 'judgements')
  if (!Array.isArray(judgements)) return null
  const corrections = new Corrections()
  const shifts = new Map<string, JudgedShift>()
  const reject = (index: number, reason: string): void =>
    corrections.add(`judgement ${index + 1} was left out: ${reason}`)
  for (const [index, item] of judgements.slice(0, MAX_JUDGEMENTS).entries()) {
    const [nodeId, signalId] = [field(item, 'nodeId'), field(item, 'signalId')]
    const shift = CLASSES.get(field(item, 'class'))
    if (typeof nodeId !== 'string' || !nodeIds.has(nodeId)) reject(index, 'unknown condition')
    else if (typeof signalId !== 'string' || !signalIds.has(signalId)) {
      reject(index, 'unknown signal')
    } else if (shift === undefined) reject(index, 'unknown class')
    else if (shifts.has(`${nodeId} ${signalId}`)) reject(index, 'judged twice')
    else shifts.set(`${nodeId} ${signalId}`, { nodeId, signalId, shift })
  }
  if (judgements.length > MAX_JUDGEMENTS) {
    corrections.add(`only the first ${MAX_JUDGEMENTS} judgements were read`)
  }
  const kills = new Map<string, MetKill>()
  const metKills = field(answer, 'kills')
  for (const [index, item] of (Array.isArray(metKills) ? metKills : [])
    .slice(0, MAX_JUDGEMENTS)
    .entries()) {
    const [nodeId, signalId] = [field(item, 'nodeId'), field(item, 'signalId')]
    const killText = typeof nodeId === 'string' ? killTexts.get(nodeId) : undefined
    const isSignal = typeof signalId === 'string' && signalIds.has(signalId)
    if (typeof nodeId !== 'string' || killText === undefined || !isSignal) {
      corrections.add(`kill ${index + 1} was left out: unknown condition or signal`)
    } else if (!kills.has(nodeId)) kills.set(nodeId, { nodeId, text: killText, signalId })
  }
  return {
    kills: [...kills.values()],
    shifts: [...shifts.values()].filter(({ shift }) => shift !== 0),
    corrections: corrections.list(),
    summary: textIn(field(answer, 'summary'), MAX_SUMMARY_LENGTH),
  }
}
