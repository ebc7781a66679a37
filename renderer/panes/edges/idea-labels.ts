import type { Idea } from '../../../backend/contract/edges.ts'

export const SIDES: Readonly<Record<Idea['direction'], string>> = {
  buy_yes: 'buy YES',
  buy_no: 'buy NO',
}

/** The source of an idea, in a word and in a sentence. */
export const BASES: Readonly<
  Record<Idea['basis'], { readonly word: string; readonly help: string }>
> = {
  thesis_edge: { word: 'thesis', help: 'A thesis prices it differently.' },
  cross_venue: {
    word: 'two venues',
    help: 'The other venue prices the same question differently.',
  },
  yield: { word: 'prices', help: 'Prices within one event or ladder are inconsistent.' },
  contagion: { word: 'contagion', help: 'A linked market moved and this one has not.' },
}
