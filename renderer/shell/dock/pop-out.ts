import { LINK_LETTERS, type LinkLetter } from '../commands/command.ts'
import { LAYOUT_NAMES, resetLayouts } from './layout-store.ts'
import type { KeyValueStore } from '../../lib/key-value-store.ts'

/** The only pane of a pane window. */
export interface SinglePane {
  readonly line: string
  readonly link: LinkLetter
  /** Identifier shared by the windows that share link groups. */
  readonly family: string
}

const FAMILY = /^[\w-]{1,64}$/

/** State in the address of a pane window, so that it survives a reload. */
export const singlePaneAddress = ({ line, link, family }: SinglePane): string =>
  `#${new URLSearchParams({ alone: family, link, c: line }).toString()}`

/** The state in the address of a pane window; null for the terminal itself. */
export function singlePaneOf(hash: string): SinglePane | null {
  const fields = new URLSearchParams(hash.slice(1))
  const [family, line] = [fields.get('alone'), fields.get('c')]
  if (family === null || line === null || !FAMILY.test(family)) return null
  const link = LINK_LETTERS.find((letter) => letter === fields.get('link')) ?? 'A'
  return { line, link, family }
}

/** Local storage without layouts, which only the terminal stores. */
export const withoutLayouts = (storage: KeyValueStore): KeyValueStore => ({
  getItem: (name) => (LAYOUT_NAMES.includes(name) ? null : storage.getItem(name)),
  setItem: (name, text) => {
    if (!LAYOUT_NAMES.includes(name)) storage.setItem(name, text)
  },
})

/** Reads the window's role and storage from its address before the page starts. */
export function begin(page: {
  readonly location: Pick<Location, 'hash' | 'pathname'>
  readonly history: Pick<History, 'replaceState'>
  readonly store: KeyValueStore & Pick<Storage, 'removeItem'>
}): { readonly singlePane: SinglePane | null; readonly storage: KeyValueStore } {
  const { location, history, store } = page
  const singlePane = singlePaneOf(location.hash)
  if (singlePane !== null) return { singlePane, storage: withoutLayouts(store) }
  if (location.hash === '#layout=fresh') {
    resetLayouts(store)
    history.replaceState(null, '', location.pathname)
  }
  return { singlePane, storage: store }
}
