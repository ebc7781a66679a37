import { termsOf } from '../text/terms.ts'
import { VENUE_NAMES } from '../venue.ts'

/** Everyday words of questions and rules; a question may word them differently than a title. */
const COMMON_WORDS = `
  able about above accepted accepts access accessible accordance according accounts achieve
  acknowledged acknowledgment acquire acquired acquires acquisition across acting action actions
  active actor actress actually add added additional addresses administration administrative
  advance advisory affecting after afterward again against agencies ago agree agreed agreement
  agreements agrees air all almost already also always am american among and announce announced
  announcement announcements announces annual another answer any anybody anyone apart app appeals
  appearances appears applies apply appoint appointed appointments approve are area aren around
  arrival arrive articles asked assists associated assumes attack attacks attempt attend
  authority authorized available average award away back bad ban based beat become becomes
  becoming been before began begin begins behind being believe below best beta between beyond big
  biggest billion boost borders both boundaries boy break bring broad broken brought bucks build
  built busy but buy calendar call called calls came can cancel canceled cancelled candidate
  candidates cannot capacity capture captured captures care carry case cases cast cause ceases
  cents certain certification challenges championship chance chances change changed charged chart
  cheaper choose chosen civil claim claimed clash clear clearly climb close closing clubs coin
  coins collaborate collapse collapsed combination come comes coming command commences commercial
  committed communication company competing competitions completed completely conduct conducted
  confirm confirmation confirmed confirming conflict consensus consider considered consistent
  constitute consumer content continue continues continuity continuous contract control
  controlled controls conviction core cost costs could couldn council count countries country
  crash create creation credible crime criteria criterion critical cross crossed crossing crowned
  cruise current currently cut cuts daily damage data date dated day days dead deal death debut
  decide decisions declaration declare declares decline decrease decreases defined definitive
  deliberate deliver depart departs departures designated destroyed details detained
  determination determined device did die dies different differently dip direct directive
  directly disarm disclosures dissolved do documented does doesn doing dollars domestic don done
  double doubt down dozen draw drop dropped drops due during duties each early earn economic
  effect effective effectively either elected eliminate eliminated encompassed encounter
  encounters end ended ending ends engage engagement enough enter enters entity equal eradicate
  eradicated errors establish established etc euros even event events ever every everyone
  evidence exactly example exceed executed executive exercises exist exists expect expected expel
  expensive expiration expire explicitly extended extension extra face facilities facility fact
  facts fail fails fair fall falls far fast favor federally fell few fewer fight finalized find
  finish finishes fire fired firing first fix fly follow following for force forces forecast form
  formal formally forms foul found fourth framework free from fulfilling full fun fundamentally
  funds future gain gains games gave geographic get gets getting girl give given gives glitches
  go goal goals goes going golf gone gonna goo good got govern governing government governments
  grant great greater greatest ground grounds groups grow growth guarantee guilty hack had half
  halt happen happened happening happens hard hardware has hasn have haven having head hear heard
  held help here high higher highest hire hired his historical hit hits hold holding holds home
  host hottest hours how however huge hundred idea identifiable immediately impact important
  impose impossible improve inaugurated inauguration incapacitated incident include included
  includes including inclusive increase increases indicated indicating individual inflections
  informal information initial initiates inside instances instead instituted institutions
  intended intent intention interact interaction intercepted interest interim international
  internationally intervention into invade invasions invoke invoked involved involving isn issue
  issued issues its job join jump keep keeps kept kick kill kind knock know known labeled land
  landing lands largest last lasting lasts late later latest launch launched launches law lead
  leader leaders leadership least leave leaves leaving left legal legislative length less let
  level lie life lifted like likelihood likely limited limits line list listed little live local
  located location locations long longer look lose loses losing loss lost lot low lower made
  magnitude main major majority make makes making manager many maps markets match matches
  material may mean means measles media meet meeting meetings meets member members memorandum
  messages met might million minutes miss model money monopoly month monthly more most move moves
  movie much multiple must mutually name named names national naval near necessary need
  negotiated never news next nobody non normal normalize not nothing now number occur occurred
  occurring occurs odds off offensive offering office official officially old once one ones
  ongoing only open opening operation operations order orders originally originated other others
  otherwise our oust ousted out outcome outside over overthrown own page paid panel part
  partially parties pass passes past pauses pay people percent perform performance period
  permanent permanently person personnel persons phone photographs phrase physical physically
  pick picked place plan plans play player players plays please plummet plunge plural plus point
  points policy political portion position possessive possible post posts potential
  power praise pre predict predicting presence present preserve prevented previously price
  primary prior private pro probability process product professional program progression promoted
  provides provisional public publicly publish published pull purchase purposes push put
  qualifies qualify qualifying question questions quick quickly quit quits quitting race raise
  raised rank rate rates rather reach reached ready really reason reasonably receive receives
  recently recognition recognize recognized recognizes record recorded records reduce reelected
  refers reforms regarding regardless region relations release released relegated relevant
  relocated remain remains remarks removal removed rendered renewed repealed replace replaced
  replacement replaces replacing report reported reporting reports representative required
  requires rescheduled resign resignation resigns resolution resolve resolved resolves respective
  respectively rest result results retain retire retires return returns reveal rials richest
  right rise risk risks role roles roll rolling round rule rules run runs sacked safe said sale
  sales same satisfies saw say saying says schedule scheduled schedules scored scorer scores seat
  seats second section secured secures security see seed seen seize select selected sell sells
  send sent serious serve serving set settle settlement settles several shall shifts ship shot
  should shouldn show showing shown side sign signed signs similar sing single sings sit small
  soar sole solely someone something soon source sources speak special specific specifically
  specified sports spot staged stand standings start starts state stated statement statements
  stating station statistics stay stays step steps stick still stop stoppage stops stories story
  strike strikes strong structures stuff submission subsequent succeed successfully succession
  successor such suffice sufficient support sure surface surge surpass suspension swear systems
  take taken takes talk talking teams tell tells temporary tennis tense term terminal test tether
  than that the their then there these they thing things think thinks third this thought thousand
  three through ticker tie time timeframe timing title today together told tomorrow tonight top
  topple tough tournament toward towards trade trading traffic train transit transits travel
  travelled trillion triple try trying turn twice two type unavailable under underwriter
  underwriting uninterrupted unless until unveil unveiled up upcoming upper upset use used using
  usual valid value van verifiable verification verified very via victorious victory video videos
  views virtual visit visited visiting visits voluntary votes wait walk want wants was wasn watch
  waters way week weeks went were weren whatever when where whether which while who whole whose
  why wide will win winning wins with withdraw withdraws within without woman women won word
  worldwide worth would wouldn wrong years yes yesterday yet you your
`

/** Terms of everyday words and of the names of venues. All other words of a question name something. */
export const COMMON_TERMS: ReadonlySet<string> = new Set(
  termsOf(`${COMMON_WORDS} ${VENUE_NAMES.join(' ')}`).map(({ term }) => term),
)
