import type { ServedThesis, ThesisRow } from '../../../backend/contract/theses/thesis.ts'
import type { ApiFailure } from '../../api/client.ts'
import { formatNumber, MISSING } from '../../lib/format.ts'
import { sentenceOf } from '../../ui/pane-state.ts'
import { refusalLabel } from '../account/refusal-labels.ts'

type Status = ThesisRow['status']

/** A probability 0 to 1 as a percentage with at most one decimal: `62.5%`. */
export const formatProbability = (probability: number | null | undefined): string =>
  probability === null || probability === undefined
    ? MISSING
    : `${formatNumber(probability * 100, 1)}%`

/** 40%, 0.4 or 40 (percent) as a probability; null for other text. */
export function typedProbability(text: string): number | null {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (digits === undefined) return null
  const number = Number(digits)
  const probability = sign === '%' || number > 1 ? number / 100 : number
  return probability <= 1 ? probability : null
}

/** A change of a probability in percentage points with its sign: `+4.2 pp`. */
export function formatPoints(change: number | null | undefined): string {
  if (change === null || change === undefined) return MISSING
  const points = Math.round(change * 1_000) / 10
  return `${points > 0 ? '+' : ''}${formatNumber(points, 1)} pp`
}

/** A Brier score with three decimals. */
export const formatBrier = (score: number | null): string =>
  score === null ? MISSING : score.toFixed(3)

/** A return in percent with its sign: `+37.1%`. */
export const formatReturn = (percent: number | null): string =>
  percent === null ? MISSING : `${percent > 0 ? '+' : ''}${formatNumber(percent, 1)}%`

export const STATUS_TONES = {
  forming: 'info',
  active: 'accent',
  paused: 'warn',
  killed: 'error',
  dormant: 'plain',
  resolved: 'plain',
} as const satisfies Readonly<Record<Status, string>>

export const FORMATION_STEPS: Readonly<Record<ServedThesis['formation']['step'], string>> = {
  queued: 'Waiting to be formed',
  tree: 'Splitting the claim into conditions',
  markets: 'Finding related markets',
  edges: 'Pricing the edges',
  done: 'Formed',
}

/** State of a section without an answer yet. @param noun the content: "the heartbeat" */
export const unansweredText = (
  { failure }: { readonly failure: ApiFailure | null },
  noun: string,
): string =>
  failure === null ? `Loading ${noun}` : `Could not load ${noun}. ${sentenceOf(failure)}`

const BY_CODE: Readonly<Record<string, string>> = {
  TREE_CHANGED:
    'The tree has changed since you opened it. Your edits are kept: check them and save again.',
  EVALUATION_RUNNING: 'An evaluation of this thesis is running. Try again when it is done.',
  THESIS_FORMING: 'The thesis is still being formed. Try again in a few seconds.',
  THESIS_NOT_ACTIVE: 'The thesis is not active. Set it to active first.',
}

/** Why a write about a thesis was rejected; a claim's hint follows its reason. */
export function thesisRefusal(failure: ApiFailure): string {
  const label = failure.code === null ? undefined : BY_CODE[failure.code]
  if (label !== undefined) return label
  const hint = failure.details?.['hint']
  const text = refusalLabel(failure)
  return typeof hint === 'string' ? `${text} ${hint}` : text
}
