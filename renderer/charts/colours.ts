import type { ChartColours } from './layers/chart-colours.ts'

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
