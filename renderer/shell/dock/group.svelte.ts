/** The active pane of a dock group. */
export class GroupView {
  shownPane = $state<string | null>(null)
  maximised = $state(false)
}
