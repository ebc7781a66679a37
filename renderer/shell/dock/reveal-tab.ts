/** Scrolls the list of a group's tabs to one of them. The window, which may scroll too, stays. */
export function revealTab(tab: Element): void {
  const list = tab.closest('.dv-tabs-container')
  if (list === null) return
  const [place, view] = [tab.getBoundingClientRect(), list.getBoundingClientRect()]
  if (place.left < view.left) list.scrollLeft += place.left - view.left
  else if (place.right > view.right)
    list.scrollLeft += Math.min(place.right - view.right, place.left - view.left)
}
