import { roundTo, type Millis } from '../../units.ts'
import { isSameLabel, type Suggestion } from '../augment.ts'
import { Corrections, field, objectIn, textIn } from './model-answer.ts'
import {
  depthOf,
  sortedByTree,
  KILL_OPS,
  nextId,
  parentOf,
  sharesOf,
  TREE_LIMITS,
  type CausalTree,
  type KillCondition,
  type TreeNode,
} from '../tree.ts'

const MAX_LENGTH = { label: 300, rationale: 500, summary: 500, killText: 300 } as const
const MAX_TICKERS = 10
/** A model's probability is never certain: an outcome is set by a settlement or by the owner. */
const [MIN_PROBABILITY, MAX_PROBABILITY] = [0.01, 0.99]
const UNKNOWN = 0.5
/** Importances of siblings may differ from 1 in sum by rounding. */
const SUM_TOLERANCE = 0.01

/** The markets that a model may refer to: those of the prompt, with the price of YES in cents. */
export type KnownPrices = ReadonlyMap<string, number | null>

/** A tree read from a model's answer, and the rejected parts of the answer. */
export interface ReadTree {
  readonly tree: CausalTree
  readonly corrections: readonly string[]
  readonly summary: string | null
}

/** Conditions that a model suggests for a tree, and the rejected parts of its answer. */
export interface ReadSuggestions {
  readonly suggestions: readonly Suggestion[]
  readonly corrections: readonly string[]
}

const NODE_PROPERTIES = {
  parent: { type: ['string', 'null'], description: 'key or id of the condition above; null: top' },
  label: { type: 'string', description: 'a statement that will turn out true or false' },
  probability: { type: 'number', description: '0 to 1' },
  rationale: { type: 'string' },
  markets: { type: 'array', items: { type: 'string' }, description: 'tickers of the list' },
}

const objectOf = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** JSON schema of the answer that `treeIn` reads. */
export const TREE_SCHEMA = {
  name: 'causal_tree',
  schema: objectOf({
    summary: { type: 'string', description: 'one sentence' },
    nodes: {
      type: 'array',
      items: objectOf({
        key: { type: 'string' },
        ...NODE_PROPERTIES,
        importance: { type: 'number', description: 'weight among its siblings; they sum to 1' },
        killCondition: {
          anyOf: [
            { type: 'null' },
            objectOf({
              text: { type: 'string' },
              op: { type: 'string', enum: KILL_OPS },
              ticker: { type: ['string', 'null'] },
              value: {
                type: ['number', 'null'],
                description: 'probability 0 to 1, or price 0 to 100 cents',
              },
            }),
          ],
        },
      }),
    },
  }),
}

/** JSON schema of the answer that `suggestionsIn` reads. */
export const SUGGESTIONS_SCHEMA = {
  name: 'conditions',
  schema: objectOf({ nodes: { type: 'array', items: objectOf(NODE_PROPERTIES) } }),
}

/**
 * Reads a causal tree from a model's answer. Conditions without a label, below an unknown one,
 * stated twice or beyond the limits of a tree are left out; probabilities are kept within 1% and
 * 99%, importances of siblings are scaled to a sum of 1, and only known markets are bound. Null
 * when the answer has no usable condition.
 */
export function treeIn(
  text: string,
  treeSource: { readonly rootClaim: string; readonly model: string; readonly now: Millis },
  prices: KnownPrices,
): ReadTree | null {
  const answer = objectIn(text)
  const items = field(answer, 'nodes')
  if (!Array.isArray(items)) return null
  const corrections = new Corrections()
  const idByKey = new Map<string, string>()
  const nodes: TreeNode[] = []
  const weights = new Map<string, number>()
  let numberedNodes: CausalTree['numbered'] = {}
  for (const [index, item] of (items as unknown[]).entries()) {
    const position = positionIn(item, nodes, idByKey)
    if ('reason' in position) {
      corrections.add(`condition ${index + 1} was left out: ${position.reason}`)
      continue
    }
    const { id, numbered: next } = nextId(numberedNodes, position.parent)
    numberedNodes = next
    const key = field(item, 'key')
    if (typeof key === 'string') idByKey.set(key, id)
    const tickers = tickersIn(item, id, prices, corrections)
    const probability = probabilityIn(item, id, tickers, prices, corrections)
    nodes.push({
      id,
      label: position.label,
      probability,
      importance: 0,
      tickers,
      rationale: textIn(field(item, 'rationale'), MAX_LENGTH.rationale),
      killCondition: killConditionIn(item, id, probability, prices, corrections),
      killHandled: false,
      outcome: null,
      locked: false,
      origin: 'model',
      updatedAt: treeSource.now,
    })
    weights.set(id, weightIn(item, id, corrections))
  }
  if (nodes.length === 0) return null
  const { rootClaim, model, now } = treeSource
  return {
    tree: {
      rootClaim,
      nodes: sortedByTree(importanceShares(nodes, weights, corrections)),
      version: 1,
      generatedAt: now,
      model,
      numbered: numberedNodes,
    },
    corrections: corrections.list(),
    summary: textIn(field(answer, 'summary'), MAX_LENGTH.summary),
  }
}

/** Reads suggested conditions from a model's answer; null when it has no list of them. */
export function suggestionsIn(
  text: string,
  targets: ReadonlySet<string>,
  prices: KnownPrices,
): ReadSuggestions | null {
  const items = field(objectIn(text), 'nodes')
  if (!Array.isArray(items)) return null
  const corrections = new Corrections()
  const suggestions = (items as unknown[]).flatMap((item, index): Suggestion[] => {
    const name = `condition ${index + 1}`
    const label = textIn(field(item, 'label'), MAX_LENGTH.label)
    const parentId = field(item, 'parent')
    if (label === null || typeof parentId !== 'string' || !targets.has(parentId)) {
      const reason = label === null ? 'it has no label' : 'its parent is unknown'
      corrections.add(`${name} was left out: ${reason}`)
      return []
    }
    const tickers = tickersIn(item, name, prices, corrections)
    const probability = probabilityIn(item, name, tickers, prices, corrections)
    return [{ parentId, label, probability, tickers }]
  })
  return { suggestions, corrections: corrections.list() }
}

/** Label and parent of a stated condition, or why it has no place in the tree. */
function positionIn(
  text: unknown,
  nodes: readonly TreeNode[],
  idByKey: ReadonlyMap<string, string>,
): { readonly label: string; readonly parent: string | null } | { readonly reason: string } {
  const label = textIn(field(text, 'label'), MAX_LENGTH.label)
  if (label === null) return { reason: 'it has no label' }
  const key = field(text, 'parent') ?? null
  const parent = key === null ? null : typeof key === 'string' ? idByKey.get(key) : undefined
  if (parent === undefined) return { reason: 'its parent is unknown' }
  if (nodes.some((node) => isSameLabel(node.label, label))) return { reason: 'it is stated twice' }
  return hasRoom(nodes, parent) ? { label, parent } : { reason: 'the tree has no room for it' }
}

function hasRoom(nodes: readonly TreeNode[], parent: string | null): boolean {
  const siblings = nodes.filter(({ id }) => parentOf(id) === parent).length
  const max = parent === null ? TREE_LIMITS.top : TREE_LIMITS.children
  const level = parent === null ? 1 : depthOf(parent) + 2
  return nodes.length < TREE_LIMITS.nodes && siblings < max && level <= TREE_LIMITS.levels
}

function tickersIn(
  node: unknown,
  name: string,
  prices: KnownPrices,
  corrections: Corrections,
): string[] {
  const markets = field(node, 'markets')
  if (!Array.isArray(markets)) return []
  const ids = new Set<string>()
  for (const ticker of markets as unknown[]) {
    if (typeof ticker === 'string' && prices.has(ticker)) ids.add(ticker)
    else corrections.add(`${name}: market ${textIn(ticker, 80) ?? 'without a ticker'} is unknown`)
  }
  if (ids.size > MAX_TICKERS) corrections.add(`${name}: only ${MAX_TICKERS} markets were bound`)
  return [...ids].slice(0, MAX_TICKERS)
}

/** The stated probability; the price of the node's first market, or 50%, for an invalid one. */
function probabilityIn(
  node: unknown,
  name: string,
  tickers: readonly string[],
  prices: KnownPrices,
  corrections: Corrections,
): number {
  const sentProbability = field(node, 'probability')
  const isValid =
    typeof sentProbability === 'number' && sentProbability >= 0 && sentProbability <= 1
  const [price] = tickers.flatMap((ticker) => prices.get(ticker) ?? [])
  const nodeProbability = isValid ? sentProbability : price === undefined ? UNKNOWN : price / 100
  const probability = roundTo(
    Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, nodeProbability)),
    4,
  )
  if (!isValid) {
    const source = price === undefined ? '50%' : 'the market price'
    corrections.add(`${name}: the probability is not between 0 and 1; ${source} is used`)
  } else if (sentProbability < MIN_PROBABILITY || sentProbability > MAX_PROBABILITY) {
    corrections.add(`${name}: the probability ${sentProbability} became ${probability}`)
  }
  return probability
}

function weightIn(node: unknown, id: string, corrections: Corrections): number {
  const sentImportance = field(node, 'importance')
  if (typeof sentImportance === 'number' && Number.isFinite(sentImportance) && sentImportance >= 0)
    return sentImportance
  corrections.add(`${id}: the importance is not a number of at least 0; 0 is used`)
  return 0
}

/** Importances of siblings as shares of 1; equal shares when all are 0. */
function importanceShares(
  nodes: readonly TreeNode[],
  weights: ReadonlyMap<string, number>,
  corrections: Corrections,
): TreeNode[] {
  const importances = new Map<string, number>()
  for (const [parent, siblings] of Map.groupBy(nodes, ({ id }) => parentOf(id))) {
    const siblingWeights = siblings.map(({ id }) => weights.get(id) ?? 0)
    const sum = siblingWeights.reduce((total, weight) => total + weight, 0)
    const shares = sharesOf(sum === 0 ? siblingWeights.map(() => 1) : siblingWeights)
    for (const [index, { id }] of siblings.entries()) importances.set(id, shares[index] ?? 0)
    if (Math.abs(sum - 1) > SUM_TOLERANCE) {
      const family = parent === null ? 'the top level' : `conditions below ${parent}`
      corrections.add(`importances of ${family} summed to ${roundTo(sum, 2)} and were scaled to 1`)
    }
  }
  return nodes.map((node) => ({ ...node, importance: importances.get(node.id) ?? 0 }))
}

function killConditionIn(
  node: unknown,
  id: string,
  probability: number,
  prices: KnownPrices,
  corrections: Corrections,
): KillCondition | null {
  const sentCondition = field(node, 'killCondition')
  if (sentCondition === undefined || sentCondition === null) return null
  const op = KILL_OPS.find((candidate) => candidate === field(sentCondition, 'op'))
  const text = textIn(field(sentCondition, 'text'), MAX_LENGTH.killText)
  const isText = op === 'text'
  const isOfPrice = op === 'price_below' || op === 'price_above'
  const [value, ticker] = [field(sentCondition, 'value'), field(sentCondition, 'ticker')]
  const max = isOfPrice ? 100 : 1
  const hasValue = typeof value === 'number' && value >= 0 && value <= max
  const hasMarket = typeof ticker === 'string' && prices.has(ticker)
  if (op === undefined || text === null || (!isText && !hasValue) || (isOfPrice && !hasMarket)) {
    corrections.add(`${id}: the kill condition is incomplete and was left out`)
    return null
  }
  const condition: KillCondition = {
    text,
    op,
    ticker: isOfPrice && hasMarket ? ticker : null,
    value: isText || !hasValue ? null : value,
  }
  if (!isMet(condition, probability, prices)) return condition
  corrections.add(`${id}: the kill condition is met already and was left out`)
  return null
}

/** Whether a condition would end the thesis at its first evaluation. */
function isMet(
  { op, ticker, value }: KillCondition,
  probability: number,
  prices: KnownPrices,
): boolean {
  const comparedPrice = ticker === null ? probability : (prices.get(ticker) ?? null)
  if (value === null || comparedPrice === null) return false
  return op.endsWith('below') ? comparedPrice < value : comparedPrice > value
}
