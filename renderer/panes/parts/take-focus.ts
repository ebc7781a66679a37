import { tick, untrack } from 'svelte'
import type { Pane } from '../../shell/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

/**
 * Hands the focus of a pane to what of it wants it, marked `data-focus`: what came after its pane had
 * the focus, or in the place of what had it. To be called inside an effect; a reader who went
 * elsewhere meanwhile is left there.
 */
export function takeFocus(
  terminal: Terminal,
  pane: Pane,
  host: () => HTMLElement | null | undefined,
): void {
  untrack(() => {
    void tick().then(() => {
      const active = document.activeElement
      const isFree = active === document.body || active?.getAttribute('data-pane') === pane.id
      if (!isFree || terminal.focusedPane !== pane.id || !pane.visible) return
      host()?.querySelector<HTMLElement>('[data-focus]')?.focus()
    })
  })
}
