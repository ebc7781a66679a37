/** Scrolls the list of a group's tabs to one of them. The window, which may scroll too, stays. */
export function revealTab(tab: Element): void {
  const list = tab.closest('.dv-tabs-container')
  if (list === null) return
  const [tabRect, listRect] = [tab.getBoundingClientRect(), list.getBoundingClientRect()]
  if (tabRect.left < listRect.left) list.scrollLeft += tabRect.left - listRect.left
  else if (tabRect.right > listRect.right)
    list.scrollLeft += Math.min(tabRect.right - listRect.right, tabRect.left - listRect.left)
}
