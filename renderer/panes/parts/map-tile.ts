/** A tile of a treemap. */
export interface MapTile {
  readonly id: string
  readonly name: string
  /** Its area among the others. */
  readonly weight: number
  readonly value: string
  /** A further line for large tiles; null for none. */
  readonly change: string | null
  readonly tone: 'up' | 'down' | 'flat'
  /** Strength of the colour, percent. */
  readonly heat: number
  readonly title: string
  readonly onopen: () => void
}
