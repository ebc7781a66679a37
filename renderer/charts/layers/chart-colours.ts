/** Colours that a canvas needs as values, read from the theme. */
export interface ChartColours {
  readonly background: string
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly up: string
  readonly down: string
  readonly upSoft: string
  readonly downSoft: string
  readonly edge: string
  /** Of a price as a line, and of areas beside it. */
  readonly price: string
  readonly priceSoft: string
  /** Of feed gaps. */
  readonly gap: string
  /** Of marked instants. */
  readonly event: string
  /** Lines besides the price, distinguished by their order. */
  readonly lines: readonly string[]
  readonly fontFamily: string
}
