import type { ConfidenceChanged, ThesisKilled } from '../../contract/orders/webhook-events.ts'
import { metKills, type Evaluation, type Thesis } from '../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import { isoOf } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { plainNotice, thesisNoticeKey } from '../../state/event-outbox.ts'
import type { ThesisStep } from './thesis-changes.ts'
import { confidenceIn, deltaOf, killConditionsOf } from './thesis-served.ts'

/** Change of the confidence since it was last announced that is announced. */
const ANNOUNCED_FROM = 0.05

/** A step with the events that leave the service with it. */
export interface AnnouncedStep extends ThesisStep {
  readonly events: readonly OutgoingEvent[]
}

/** The events of an evaluation; the thesis notes which confidence they announced. */
export function withEvents(before: Thesis, { thesis, evaluation }: ThesisStep): AnnouncedStep {
  const { previousConfidence, newConfidence } = evaluation
  // Theses of earlier versions announced nothing: their changes count from now.
  const previous = before.announcedConfidence ?? previousConfidence
  const delta = deltaOf(previous, newConfidence)
  const isAnnounced = Math.abs(delta) >= ANNOUNCED_FROM
  const isKilled = thesis.status === 'killed' && before.status !== 'killed'
  const changeEvents =
    isAnnounced && previous !== null && newConfidence !== null
      ? [confidenceChanged(thesis, evaluation, { previous, newConfidence, delta })]
      : []
  return {
    thesis: { ...thesis, announcedConfidence: isAnnounced ? newConfidence : previous },
    evaluation,
    events: isKilled ? [...changeEvents, thesisKilled(thesis, evaluation)] : changeEvents,
  }
}

const percent = (chance: number): string => `${roundTo(chance * 100, 1)}%`

/** The notice in the terminal that a thesis was formed. */
export function formedNotice(thesis: Thesis): Delivery {
  const { id, userId, title, edges, updatedAt } = thesis
  const confidence = confidenceIn(thesis)
  const figures = [
    ...(confidence === null ? [] : [`confidence ${percent(confidence)}`]),
    `${edges.length} ${edges.length === 1 ? 'edge' : 'edges'}`,
  ]
  const message = `Thesis ${title} formed: ${figures.join(', ')}`
  return plainNotice({ userId, ruleId: null }, message, updatedAt, thesisNoticeKey(id, 'formed'))
}

/**
 * The notice in the terminal that the budget of a thesis is spent, once a month.
 * @param month YYYY-MM, UTC
 */
export function budgetNotice(
  { id, userId, title }: Pick<Thesis, 'id' | 'userId' | 'title'>,
  { month, budgetUsd }: { readonly month: string; readonly budgetUsd: number },
  now: Millis,
): Delivery {
  const message = `Heartbeat of thesis ${title} paused: its budget of $${budgetUsd} for ${month} is spent. Raise it in HB, or it resumes with the next month`
  const key = thesisNoticeKey(id, `budget ${month} ${budgetUsd}`)
  return plainNotice({ userId, ruleId: null }, message, now, key)
}

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
  const { id, evaluatedAt, newConfidence, summary } = evaluation
  const [kill] = metKills(evaluation)
  const data: ThesisKilled = {
    thesisId: thesis.id,
    title: thesis.title,
    reason: 'kill_flag_raised',
    evaluation: {
      id,
      confidence: newConfidence,
      summary,
      killConditions: killConditionsOf(evaluation),
    },
    killedAt: isoOf(evaluatedAt),
  }
  return {
    id: newId('evt', evaluatedAt),
    userId: thesis.userId,
    type: 'thesis.killed',
    createdAt: evaluatedAt,
    data,
    message: `Thesis ${thesis.title} killed: ${kill?.evidence ?? 'a kill condition is met'}`,
    ruleId: null,
    ticker: null,
  }
}
