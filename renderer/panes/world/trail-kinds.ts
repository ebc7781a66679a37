import type { TrailLink } from '../../../backend/contract/world.ts'

/** Name and dash pattern of each kind of link; patterns distinguish them without colour. */
export const LINK_KINDS: Readonly<
  Record<TrailLink['kind'], { readonly label: string; readonly dash: string }>
> = {
  cross_venue: { label: 'other venue', dash: '' },
  contagion: { label: 'moves together', dash: '7 4' },
  series_sibling: { label: 'same series', dash: '2 3' },
}
