import type { Pair } from '../../../backend/contract/crossvenue.ts'

export const METHODS: Readonly<Record<Pair['method'], string>> = {
  exact: 'Every name, number and date agrees',
  text: 'Matched by titles and rules',
  reviewed: 'Reviewed by a person',
}
