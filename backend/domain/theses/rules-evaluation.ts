import { textDirection } from '../answers/direction-lexicon.ts'
import { clamp, logit, sigmoid } from '../statistics/statistics.ts'
import { termsOf } from '../text/terms.ts'
import { DAY, HOUR, roundTo, type Millis } from '../units.ts'
import { confidenceOf, type TreeNode } from './tree.ts'

/** A piece of evidence that was sent to a thesis. */
export interface Signal {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly content: string
  readonly url: string | null
  readonly nodeId: string | null
  /** When it happened; its age counts from here. */
  readonly at: Millis
}

/** A change of the price of a bound market since the last evaluation. */
export interface MarketMove {
  readonly title: string
  readonly nodeId: string
  /** Match times orientation, -1 to 1. */
  readonly link: number
  /** Cents of YES. */
  readonly from: number
  readonly to: number
}

export interface NodeChange {
  readonly nodeId: string
  readonly label: string
  readonly previousProbability: number
  readonly newProbability: number
  readonly reason: string
}

/** The bearing of a signal on a condition as a model judged it (methodology H4). */
export interface JudgedShift {
  readonly nodeId: string
  readonly signalId: string
  /** Log-odds. */
  readonly shift: number
}

export interface RulesEvaluation {
  readonly nodes: readonly TreeNode[]
  readonly previousConfidence: number | null
  readonly newConfidence: number | null
  /** Largest change first. */
  readonly changes: readonly NodeChange[]
}

const STRENGTHS: ReadonlyMap<string, number> = new Map([
  ['news', 0.25],
  ['social', 0.1],
  ['user_note', 0.15],
  ['external', 0.2],
  ['econ_release', 0.4],
  ['gov_action', 0.4],
])
const OTHER_STRENGTH = 0.15
const RELIABILITIES: ReadonlyMap<string, number> = new Map([
  ['official', 1],
  ['wire', 0.8],
  ['press', 0.6],
  ['social', 0.3],
  ['user', 0.7],
])
const HALF_LIFE = 48 * HOUR
const MAX_SHIFT = 1
const MOVE_WEIGHT = 0.5
const MIN_SHARED_WORDS = 2
const SAME_STORY = 0.6
/** Prices at the bounds have no finite log-odds. */
const PRICE_BOUNDS = [0.5, 99.5] as const

/** Direction of a text for a condition: what falls supports "inflation falls". */
const directionFor = (label: string, text: string): number =>
  textDirection(text) * (textDirection(label) === -1 ? -1 : 1)

const stems = (text: string): Set<string> => new Set(termsOf(text).map(({ term }) => term))

function reliabilityOf({ type, source }: Signal): number {
  const bySource = RELIABILITIES.get(source.toLowerCase())
  if (bySource !== undefined) return bySource
  if (type === 'user_note') return 0.7
  return type === 'social' ? 0.3 : 0.6
}

function isSameStory(terms: ReadonlySet<string>, otherTerms: ReadonlySet<string>): boolean {
  let sharedCount = 0
  for (const term of terms) if (otherTerms.has(term)) sharedCount++
  return terms.size > 0 && sharedCount / Math.sqrt(terms.size * otherTerms.size) >= SAME_STORY
}

/**
 * For each signal its number among those of the same source or story within 24 hours, from 1.
 * @param consumedSignals signals that count as earlier ones
 */
function repeatsOf(signals: readonly Signal[], consumedSignals: readonly Signal[]): number[] {
  const consumedTerms = consumedSignals.map((signal) => ({ signal, terms: stems(signal.content) }))
  return signals.map((signal) => {
    const terms = stems(signal.content)
    const earlierSignals = consumedTerms.filter(
      (other) =>
        Math.abs(signal.at - other.signal.at) <= DAY &&
        (other.signal.source === signal.source || isSameStory(terms, other.terms)),
    )
    consumedTerms.push({ signal, terms })
    return earlierSignals.length + 1
  })
}

function concerns(node: TreeNode, signal: Signal): boolean {
  if (signal.nodeId !== null) return signal.nodeId === node.id
  const text = signal.content.toUpperCase()
  if (node.tickers.some((ticker) => text.includes(ticker.toUpperCase()))) return true
  const labelStems = stems(node.label)
  let sharedCount = 0
  for (const term of stems(signal.content)) if (labelStems.has(term)) sharedCount++
  return sharedCount >= MIN_SHARED_WORDS
}

const oddsOf = (cents: number): number => logit(clamp(cents, ...PRICE_BOUNDS) / 100)

/**
 * Evaluates a tree without a language model: evidence adds up in log-odds, at most 1 a node
 * (methodology H3). The same inputs give the same result.
 * @param signals not consumed yet, oldest first
 * @param judgedShifts replaces the reading of the signals by rules; null for rules alone
 * @param consumedSignals signals of earlier evaluations: what repeats them weighs less
 */
export function evaluateByRules(
  tree: readonly TreeNode[],
  signals: readonly Signal[],
  moves: readonly MarketMove[],
  now: Millis,
  judgedShifts: readonly JudgedShift[] | null = null,
  consumedSignals: readonly Signal[] = [],
): RulesEvaluation {
  const repeats = repeatsOf(signals, consumedSignals)
  const read = judgedShifts === null ? signals : []
  const changes: NodeChange[] = []
  const nodes = tree.map((node): TreeNode => {
    if (node.locked || node.outcome !== null) return node
    const evidence: { readonly shift: number; readonly text: string }[] = []
    for (const [index, signal] of read.entries()) {
      if (!concerns(node, signal)) continue
      const age = Math.max(0, now - signal.at)
      const shift =
        directionFor(node.label, signal.content) *
        (STRENGTHS.get(signal.type) ?? OTHER_STRENGTH) *
        reliabilityOf(signal) *
        (1 / (repeats[index] ?? 1)) *
        2 ** (-age / HALF_LIFE)
      if (shift !== 0) evidence.push({ shift, text: `${signal.type} signal ${signal.id}` })
    }
    for (const { nodeId, signalId, shift } of judgedShifts ?? []) {
      if (nodeId === node.id) evidence.push({ shift, text: `signal ${signalId} as judged` })
    }
    for (const { title, nodeId, link, from, to } of moves) {
      if (nodeId !== node.id || from === to) continue
      const shift = MOVE_WEIGHT * link * (oddsOf(to) - oddsOf(from))
      evidence.push({ shift, text: `“${title}” from ${from}¢ to ${to}¢` })
    }
    const sum = evidence.reduce((total, { shift }) => total + shift, 0)
    const start = clamp(node.probability, 0.005, 0.995)
    const probability = roundTo(sigmoid(logit(start) + clamp(sum, -MAX_SHIFT, MAX_SHIFT)), 4)
    if (evidence.length === 0 || probability === node.probability) return node
    const reason = evidence
      .toSorted((a, b) => Math.abs(b.shift) - Math.abs(a.shift))
      .map(({ text }) => text)
      .join('; ')
    changes.push({
      nodeId: node.id,
      label: node.label,
      previousProbability: node.probability,
      newProbability: probability,
      reason,
    })
    return { ...node, probability, updatedAt: now }
  })
  const size = ({ previousProbability, newProbability }: NodeChange): number =>
    Math.abs(newProbability - previousProbability)
  return {
    nodes,
    previousConfidence: confidenceOf(tree),
    newConfidence: confidenceOf(nodes),
    changes: changes.toSorted((a, b) => size(b) - size(a)),
  }
}
