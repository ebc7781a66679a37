import { clamp } from '../statistics/statistics.ts'
import { roundTo, type Millis } from '../units.ts'
import { isStatement, startsWithVerb } from './claim.ts'
import { negationOf } from './condition-match.ts'
import { confidenceOf, sharesOf, type CausalTree, type TreeNode } from './tree.ts'

/** Name of the engine that needs no model. */
export const RULES_MODEL = 'rules-1'

const MAX_PARTS = 5
/** Least match of a market whose price is the probability of a condition. */
const MIN_ANCHOR_MATCH = 0.4
/** Least match of a market that a thesis has an edge in. */
const MIN_EDGE_MATCH = 0.5
/** Cents by which a thesis moves a price for each unit of confidence beyond one half. */
const EDGE_CENTS = 20
const UNKNOWN = 0.5

/** A market that is relevant for a condition of a claim. */
export interface BoundMarket {
  readonly ticker: string
  readonly title: string
  /** 0 to 1: how well the market asks the condition. */
  readonly match: number
  /** -1 when the market asks the opposite. */
  readonly orientation: 1 | -1
  /** Headline price of YES, cents. */
  readonly price: number | null
}

/** A condition of a claim with its markets, best first. */
export interface BoundPart {
  readonly label: string
  readonly markets: readonly BoundMarket[]
}

/** A thesis's price of one market with its derivation. */
export interface ThesisEdgeSeed {
  readonly ticker: string
  readonly thesisPrice: number
  readonly match: number
  readonly orientation: 1 | -1
  readonly relatedNodeId: string
}

/**
 * Conditions of a claim: split at because, if, unless, semicolons, and at "and" between statements;
 * at most five (methodology H5). What follows "unless" must not happen.
 */
export function partsOf(statement: string): string[] {
  const [claim = '', ...rest] = reasonLast(statement).split(JOINTS)
  const pieces = [claim]
  /** Pieces with an exception that is not denied: their clauses belong together. */
  const wholeClauses = new Set<string>()
  const parts: string[] = []
  for (let index = 0; index < rest.length; index += 2) {
    const [joint, piece = ''] = [rest[index], rest[index + 1]]
    const exceptions = joint?.toLowerCase() === 'unless' ? exceptionsIn(piece) : []
    if (exceptions === null) {
      const joinedClause = `${pieces.pop() ?? ''} unless ${piece}`
      pieces.push(joinedClause)
      wholeClauses.add(joinedClause)
    } else if (joint?.toLowerCase() === 'unless') parts.push(...exceptions)
    else pieces.push(piece)
  }
  const statements = pieces.flatMap((piece) =>
    wholeClauses.has(piece) ? [piece] : statementsIn(piece),
  )
  return conditionsOf(statement, [...statements, ...parts])
}

/** Where a claim is split; the joint is captured, but for a semicolon. */
const JOINTS = /\s*;\s*|,?\s+\b(because|if|unless)\b\s+/i

/** More than one clause, or words that a denial would turn into something else. */
const NOT_NEGATABLE =
  /,|\b(?:and|but|who|which|that|whose|can't|cannot|never|nobody|none|no one|nothing)\b/i

/** Whether what follows "unless" is one clause with a verb that can be denied. */
const isException = (piece: string): boolean =>
  !NOT_NEGATABLE.test(piece) &&
  (isStatement(piece) || /\b(?:do|does|did)(?:n't\b|\s+not\b)/i.test(piece))

/**
 * Events that must not happen, as conditions: of "A or B" neither may. Null for a text without a
 * negation, which stays a part of its claim.
 */
function exceptionsIn(piece: string): string[] | null {
  const alternatives = piece.split(/\s+or\s+/i)
  return alternatives.every(isException) ? alternatives.map(negationOf) : null
}

function conditionsOf(statement: string, pieces: readonly string[]): string[] {
  const parts = pieces
    .map((part) => part.replace(/[\s.,?!]+$/, '').trim())
    .filter((part) => part !== '')
    .map(capitalize)
  return parts.length === 0 ? [statement] : parts.slice(0, MAX_PARTS)
}

/** A text with its first letter in upper case; a name such as “iPhone” stays as it is. */
const capitalize = (text: string): string =>
  /^[\p{Ll}\d'’-]+(?!\p{L})/u.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text

/** A claim that begins with its reason, with the reason last: "If A, B" is "B if A". */
const reasonLast = (statement: string): string => {
  const [, word, reason, claim] =
    /^(if|unless|because|since|given that|as)\s+(.+?),\s+(?!\d{4}\b)(?:then\s+)?(.+)$/i.exec(
      statement,
    ) ?? []
  if (reason === undefined || claim === undefined) return statement
  const first = word?.toLowerCase() ?? ''
  const conjunction = first === 'if' || first === 'unless' ? first : 'because'
  return isStatement(reason) && isStatement(claim) ? `${claim} ${conjunction} ${reason}` : statement
}

/** Statements joined by "and", "but" or "while"; the "and" of "Spain and France will agree" joins names. */
function statementsIn(text: string): string[] {
  const [first = '', ...rest] = text.split(/(,?\s+\b(?:and|but|while)\b\s+)/i)
  const statements = [first]
  for (let index = 0; index < rest.length; index += 2) {
    const [joint = '', piece = ''] = rest.slice(index, index + 2)
    const last = statements.at(-1) ?? ''
    const subject = /^(.+?)\s+will\s/i.exec(last)?.[1]
    if (subject !== undefined && startsWithVerb(piece)) statements.push(`${subject} will ${piece}`)
    else if (isStatement(last) && isStatement(piece)) statements.push(piece)
    else statements[statements.length - 1] = `${last}${joint}${piece}`
  }
  return statements
}

/** The probability of a condition by its best market; null when no market asks it well enough. */
export function anchorOf(markets: readonly BoundMarket[]): BoundMarket | null {
  return markets.find(({ match, price }) => match >= MIN_ANCHOR_MATCH && price !== null) ?? null
}

const chanceOf = ({ price, orientation }: BoundMarket): number => {
  const chance = (price ?? 0) / 100
  return roundTo(orientation === 1 ? chance : 1 - chance, 4)
}

/** A shallow tree anchored on market prices: one node for each condition (methodology H5). */
export function treeByRules(
  rootClaim: string,
  parts: readonly BoundPart[],
  now: Millis,
): CausalTree {
  const shares = sharesOf(parts.map((_, index) => 1 / (index + 1)))
  const nodes = parts.map(({ label, markets }, index): TreeNode => {
    const anchor = anchorOf(markets)
    return {
      id: `n${index + 1}`,
      label,
      probability: anchor === null ? UNKNOWN : chanceOf(anchor),
      importance: shares[index] ?? 0,
      tickers: anchor === null ? [] : [anchor.ticker],
      rationale:
        anchor === null
          ? 'No open market asks this; 50% until something is known.'
          : `“${anchor.title}” trades at ${anchor.price}¢ and asks ${anchor.orientation === 1 ? 'this' : 'the opposite'} (match ${roundTo(anchor.match, 2)}).`,
      killCondition: null,
      killHandled: false,
      outcome: null,
      locked: false,
      origin: 'rules',
      updatedAt: now,
    }
  })
  return {
    rootClaim,
    nodes,
    version: 1,
    generatedAt: now,
    model: RULES_MODEL,
    numbered: { '': nodes.length },
  }
}

/** The price that a thesis gives a market (methodology H5), cents of YES. */
export const thesisPriceOf = (
  price: number,
  confidence: number,
  { match, orientation }: Pick<BoundMarket, 'match' | 'orientation'>,
): number => roundTo(clamp(price + EDGE_CENTS * (confidence - 0.5) * match * orientation, 1, 99), 4)

/** Edges of a formed tree: each market once, with the condition that it matches best. */
export function edgesByRules(
  tree: Pick<CausalTree, 'nodes'>,
  parts: readonly (BoundPart & { readonly nodeId?: string })[],
): ThesisEdgeSeed[] {
  const confidence = confidenceOf(tree.nodes) ?? UNKNOWN
  const best = new Map<string, ThesisEdgeSeed>()
  for (const [index, { markets, nodeId }] of parts.entries()) {
    for (const market of markets) {
      const { ticker, match, orientation, price } = market
      if (match < MIN_EDGE_MATCH || price === null) continue
      if ((best.get(ticker)?.match ?? 0) >= match) continue
      best.set(ticker, {
        ticker,
        match,
        orientation,
        thesisPrice: thesisPriceOf(price, confidence, market),
        relatedNodeId: nodeId ?? `n${index + 1}`,
      })
    }
  }
  return [...best.values()]
}
