import type { TrailLink } from '../../api/world-types.ts'

/** How each kind of link is called and drawn; patterns tell them apart without colour. */
export const KINDS: Readonly<
  Record<TrailLink['kind'], { readonly word: string; readonly dash: string }>
> = {
  cross_venue: { word: 'other venue', dash: '' },
  contagion: { word: 'moves together', dash: '7 4' },
  series_sibling: { word: 'same series', dash: '2 3' },
}
