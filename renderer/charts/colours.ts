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
  readonly words: string
}

/** Tokens of the lines besides the price, in the order of a legend. */
export const LINE_TOKENS = ['accent', 'link-b', 'link-c', 'link-d', 'down', 'muted'] as const

/** Reads the theme's properties as the browser resolves them, system colours included. */
export function chartColours(host: HTMLElement): ChartColours {
  const probe = document.createElement('span')
  host.append(probe)
  const resolved = (name: string, alpha = 1): string => {
    probe.style.color = `var(--${name})`
    const channels = /[\d.]+/g
    const [red = '0', green = '0', blue = '0'] = getComputedStyle(probe).color.match(channels) ?? []
    return `rgba(${red}, ${green}, ${blue}, ${alpha})`
  }
  const colours: ChartColours = {
    background: resolved('bg1'),
    text: resolved('muted'),
    faint: resolved('faint'),
    line: resolved('line', 0.55),
    up: resolved('up'),
    down: resolved('down'),
    upSoft: resolved('up', 0.32),
    downSoft: resolved('down', 0.32),
    edge: resolved('edge'),
    price: resolved('info'),
    priceSoft: resolved('info', 0.16),
    gap: resolved('warn', 0.45),
    event: resolved('accent', 0.85),
    lines: LINE_TOKENS.map((name) => resolved(name)),
    words: getComputedStyle(host).fontFamily,
  }
  probe.remove()
  return colours
}
