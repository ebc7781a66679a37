/** Which pane a dock group shows now. */
export class GroupView {
  shownPane = $state<string | null>(null)
  maximised = $state(false)
}
