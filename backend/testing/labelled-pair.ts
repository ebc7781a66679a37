/** Labels of a pair, decided from the rules as far as they were recorded. */
export const PAIR_LABELS = ['equivalent', 'near_miss', 'false_friend'] as const
/** Relation of the YES of market a to that of b; `unrelated` means two different events. */
export const LABELLED_RELATIONS = [
  'identity',
  'complement',
  'subset',
  'superset',
  'overlap',
  'unrelated',
] as const
/**
 * Evidence for a label: both markets' rules, the rules of the same series for another
 * day, one market's rules, or titles and close times only.
 */
export const LABEL_BASES = ['rules', 'series', 'one', 'titles'] as const

/** A pair of recorded markets that a person read and labelled. */
export interface LabelledPair {
  readonly catalogue: string
  /** Ticker of the venue that is first in the table. */
  readonly a: string
  /** Ticker of the other venue. */
  readonly b: string
  /** The question of the markets, paraphrased. */
  readonly titleA: string
  readonly titleB: string
  readonly label: (typeof PAIR_LABELS)[number]
  readonly relation: (typeof LABELLED_RELATIONS)[number]
  /** The YES of one is the NO of the other. */
  readonly inverted: boolean
  readonly basis: (typeof LABEL_BASES)[number]
  /** Pairs of one event stay in the same split. */
  readonly event: string
  /** The deciding reason, as a short text. */
  readonly reason: string
}

/** Whether both rules texts were read, of the markets themselves or of their series. */
export const isRuleRead = ({ basis }: Pick<LabelledPair, 'basis'>): boolean =>
  basis === 'rules' || basis === 'series'

/**
 * Parses the labelled pairs of a file.
 * @throws TypeError naming the first pair that is incomplete or contradicts itself
 */
export function labelledPairsFrom(file: unknown): readonly LabelledPair[] {
  if (!Array.isArray(file)) throw new TypeError('Labelled pairs are a list')
  return file.map((row: unknown, index) => labelledPairFrom(row, index))
}

function labelledPairFrom(row: unknown, place: number): LabelledPair {
  const fields: Readonly<Record<string, unknown>> =
    typeof row === 'object' && row !== null ? { ...row } : {}
  const wrong = (what: string): TypeError => new TypeError(`Labelled pair ${place}: ${what}`)
  const text = (name: string): string => {
    const value = fields[name]
    if (typeof value !== 'string' || value.trim() === '') throw wrong(`no ${name}`)
    return value
  }
  const oneOf = <T extends string>(name: string, known: readonly T[]): T => {
    const value = known.find((entry) => entry === fields[name])
    if (value === undefined) throw wrong(`unknown ${name}`)
    return value
  }
  const { inverted } = fields
  if (typeof inverted !== 'boolean') throw wrong('no inverted')
  const label = oneOf('label', PAIR_LABELS)
  const relation = oneOf('relation', LABELLED_RELATIONS)
  const isSame = relation === 'identity' || relation === 'complement'
  if (isSame !== (label === 'equivalent')) throw wrong('label and relation disagree')
  if (inverted !== (relation === 'complement')) throw wrong('inverted and relation disagree')
  return {
    catalogue: text('catalogue'),
    a: text('a'),
    b: text('b'),
    titleA: text('titleA'),
    titleB: text('titleB'),
    label,
    relation,
    inverted,
    basis: oneOf('basis', LABEL_BASES),
    event: text('event'),
    reason: text('reason'),
  }
}
