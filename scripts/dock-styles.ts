import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

/** Classes of the themes, and of parts of the dock that the terminal does not use. */
const UNUSED = new RegExp(
  [
    'dockview-',
    'dv-(?:auto-edge|context-menu|debug|default-tab|dnd-compass|edge-|groupview-header|keyboard-docking)',
    'dv-(?:pane-container|pinned|right-actions-container-vertical|smart-guide|tab-dragging|tab-group)',
    'dv-tab--(?:group|pinned)',
    'dv-tabs-container-(?:-wrap|vertical)',
    'dv-tabs-overflow-(?:advanced|group|pinned)',
    'dv-scrollbar-vertical',
    'svg',
  ].join('|'),
)

/** Top-level rules of a style sheet without comments. */
function rulesOf(css: string): string[] {
  const rules: string[] = []
  let start = 0
  let depth = 0
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth > 0) continue
    rules.push(css.slice(start, index + 1).trim())
    start = index + 1
  }
  return rules
}

/**
 * The structural rules of dockview-core. The package's bundle puts its styles into the page by an
 * inline style element, which the content policy refuses; they are its first string literal.
 */
export function dockStyles(): string {
  const path = createRequire(import.meta.url).resolve('dockview-core/dist/dockview-core.js')
  const literal = /\.textContent = ("(?:[^"\\]|\\.)*")/.exec(readFileSync(path, 'utf8'))?.[1]
  if (literal === undefined) throw new Error('dockview-core has no styles in its bundle')
  const css = (JSON.parse(literal) as string).replace(/\/\*[^]*?\*\//g, '')
  return rulesOf(css)
    .filter((rule) => rule.startsWith('@') || !UNUSED.test(rule.slice(0, rule.indexOf('{'))))
    .join('\n')
}

/** Fills `dock-structure.css` with the rules of the installed package. */
export const dockStylesPlugin: Plugin = {
  name: 'augury-dock-styles',
  load: (id) => (id.endsWith('/dock-structure.css') ? dockStyles() : null),
}
