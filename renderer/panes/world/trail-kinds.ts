import type { TrailLink } from '../../../backend/contract/world.ts'

/** Name and dash pattern of each kind of link; patterns distinguish them without colour. */
export const KINDS: Readonly<
  Record<TrailLink['kind'], { readonly word: string; readonly dash: string }>
> = {
  cross_venue: { word: 'other venue', dash: '' },
  contagion: { word: 'moves together', dash: '7 4' },
  series_sibling: { word: 'same series', dash: '2 3' },
}
