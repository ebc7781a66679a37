import type { Pair } from '../../api/context-types.ts'

export const METHODS: Readonly<Record<Pair['method'], string>> = {
  exact: 'Every name, number and date agrees',
  text: 'Matched by what titles and rules say',
  reviewed: 'Read by a person',
}
