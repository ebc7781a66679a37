import { tick, untrack } from 'svelte'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

/**
 * Moves the focus of a pane to the element marked `data-focus`, when it appears after the pane
 * received the focus, or replaces the focused element. Call it inside an effect; a user who moved
 * the focus elsewhere meanwhile is not interrupted. A field of a stored layout does not take the
 * focus: the keys of a page that was just opened are commands.
 *
 * @param host contains the element; the effect runs again when it appears with the first answer
 */
export function movePaneFocus(
  terminal: Terminal,
  pane: Pane,
  host: () => HTMLElement | null | undefined,
): void {
  if ((host() ?? null) === null) return
  untrack(() => {
    void tick().then(() => {
      const active = document.activeElement
      const isFree = active === document.body || active?.getAttribute('data-pane') === pane.id
      if (!isFree || terminal.focusedPane !== pane.id || !pane.visible) return
      const target = host()?.querySelector<HTMLElement>('[data-focus]')
      if (pane.isRestored && target?.matches('input, textarea, select') === true) return
      target?.focus()
    })
  })
}
