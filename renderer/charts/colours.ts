import type { ChartColours } from './layers/chart-colours.ts'

/** Tokens of the lines besides the price, in the order of a legend. */
export const LINE_TOKENS = ['accent', 'link-b', 'link-c', 'link-d', 'down', 'muted'] as const

/** Reads the theme's properties as the browser resolves them, system colours included. */
export function chartColours(host: HTMLElement): ChartColours {
  const probe = document.createElement('span')
  host.append(probe)
  const resolvedColour = (name: string, alpha = 1): string => {
    probe.style.color = `var(--${name})`
    const channels = /[\d.]+/g
    const [red = '0', green = '0', blue = '0'] = getComputedStyle(probe).color.match(channels) ?? []
    return `rgba(${red}, ${green}, ${blue}, ${alpha})`
  }
  const colours: ChartColours = {
    background: resolvedColour('bg1'),
    text: resolvedColour('muted'),
    faint: resolvedColour('faint'),
    line: resolvedColour('line', 0.55),
    up: resolvedColour('up'),
    down: resolvedColour('down'),
    upSoft: resolvedColour('up', 0.32),
    downSoft: resolvedColour('down', 0.32),
    edge: resolvedColour('edge'),
    price: resolvedColour('info'),
    priceSoft: resolvedColour('info', 0.16),
    gap: resolvedColour('warn', 0.45),
    event: resolvedColour('accent', 0.85),
    lines: LINE_TOKENS.map((name) => resolvedColour(name)),
    fontFamily: getComputedStyle(host).fontFamily,
  }
  probe.remove()
  return colours
}
