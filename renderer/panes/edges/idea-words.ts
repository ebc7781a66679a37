import type { Idea } from '../../api/context-types.ts'

export const SIDES: Readonly<Record<Idea['direction'], string>> = {
  buy_yes: 'buy YES',
  buy_no: 'buy NO',
}

/** What an idea is read from, in a word and in a sentence. */
export const BASES: Readonly<
  Record<Idea['basis'], { readonly word: string; readonly help: string }>
> = {
  thesis_edge: { word: 'thesis', help: 'A thesis prices it differently.' },
  cross_venue: { word: 'two venues', help: 'The other venue prices the same question apart.' },
  yield: { word: 'prices', help: 'Prices of one event or ladder contradict each other.' },
  contagion: { word: 'contagion', help: 'A linked market moved and this one has not.' },
}
