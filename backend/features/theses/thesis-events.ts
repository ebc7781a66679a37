import type { ConfidenceChanged, ThesisKilled } from '../../contract/orders/webhook-events.ts'
import type { Evaluation, Thesis } from '../../domain/theses/thesis.ts'
import { roundTo } from '../../domain/units.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import { isoOf } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { ThesisStep } from './thesis-changes.ts'
import { deltaOf } from './thesis-served.ts'

/** Change of the confidence since it was last announced that is announced. */
const ANNOUNCED_FROM = 0.05

/** A step with the events that leave the service with it. */
export interface AnnouncedStep extends ThesisStep {
  readonly events: readonly OutgoingEvent[]
}

/** The events of an evaluation; the thesis notes which confidence they announced. */
export function announced(before: Thesis, { thesis, evaluation }: ThesisStep): AnnouncedStep {
  const { previousConfidence, newConfidence } = evaluation
  // Theses of earlier versions announced nothing: their changes count from now.
  const previous = before.announcedConfidence ?? previousConfidence
  const delta = deltaOf(previous, newConfidence)
  const isAnnounced = Math.abs(delta) >= ANNOUNCED_FROM
  const isKilled = thesis.status === 'killed' && before.status !== 'killed'
  const changed =
    isAnnounced && previous !== null && newConfidence !== null
      ? [confidenceChanged(thesis, evaluation, { previous, newConfidence, delta })]
      : []
  return {
    thesis: { ...thesis, announcedConfidence: isAnnounced ? newConfidence : previous },
    evaluation,
    events: isKilled ? [...changed, thesisKilled(thesis, evaluation)] : changed,
  }
}

const percent = (chance: number): string => `${roundTo(chance * 100, 1)}%`

function confidenceChanged(
  thesis: Thesis,
  { id, evaluatedAt, trigger, summary }: Evaluation,
  change: { readonly previous: number; readonly newConfidence: number; readonly delta: number },
): OutgoingEvent {
  const { previous, newConfidence, delta } = change
  const data: ConfidenceChanged = {
    thesisId: thesis.id,
    title: thesis.title,
    previousConfidence: previous,
    currentConfidence: newConfidence,
    delta,
    trigger,
    evaluationId: id,
    summary,
  }
  return {
    id: newId('evt', evaluatedAt),
    userId: thesis.userId,
    type: 'thesis.confidence_changed',
    createdAt: evaluatedAt,
    data,
    message: `Thesis ${thesis.title}: confidence ${percent(previous)} to ${percent(newConfidence)}`,
    ruleId: null,
    ticker: null,
  }
}

function thesisKilled(thesis: Thesis, evaluation: Evaluation): OutgoingEvent {
  const { id, evaluatedAt, newConfidence, summary, kills } = evaluation
  const data: ThesisKilled = {
    thesisId: thesis.id,
    title: thesis.title,
    reason: 'kill_flag_raised',
    evaluation: {
      id,
      confidence: newConfidence,
      summary,
      killConditions: kills.map((kill) => ({ ...kill, triggered: true })),
    },
    killedAt: isoOf(evaluatedAt),
  }
  return {
    id: newId('evt', evaluatedAt),
    userId: thesis.userId,
    type: 'thesis.killed',
    createdAt: evaluatedAt,
    data,
    message: `Thesis ${thesis.title} killed: ${kills[0]?.evidence ?? 'a kill condition is met'}`,
    ruleId: null,
    ticker: null,
  }
}
