export interface MenuItem {
  readonly label: string
  /** Its shortcut, as text; null when it has none. */
  readonly key?: string | null
  readonly run: () => void
}

/** Position in the window, in pixels. */
export interface MenuPosition {
  readonly x: number
  readonly y: number
}

export interface OpenMenu {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly at: MenuPosition
}
