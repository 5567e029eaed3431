"""What happened, in the past tense. The log is a list of these and nothing else.

Events carry results (prices paid, cards drawn, markets as they now lie), never instructions: the
fold assigns and decides nothing, so a later change to the rules cannot change a game already
played. `VERSION` counts the shape of an event; core.game.log.upcast lifts old shapes.
"""

from core.game.events.absence import (
    CaretakerAppointed,
    DeadlineExtended,
    DeadlineMoved,
    DraftPlayed,
    GraceGiven,
    MadeBySitter,
    MoveForced,
    OwnerReturned,
    SeatOpened,
    SeatTaken,
    TurnMissed,
    VacationBegan,
)
from core.game.events.auctions import (
    AuctionDeclined,
    AuctionOpened,
    BidPassed,
    BidPlaced,
    PlantBought,
    PlantDiscarded,
    SealedBid,
    SealedBidGiven,
    SealedBidsOpened,
    TokenPlaced,
    TokenRemoved,
)
from core.game.events.business import (
    BuildingEnded,
    CityConnected,
    FuelBought,
    FuelRefilled,
    PlantsRun,
)
from core.game.events.cards import (
    BoxedBecause,
    PlantBoxed,
    PlantDrawn,
    PlantMarket,
    PlantPutUnder,
    StackShuffled,
    Step3CardBoxed,
)
from core.game.events.course import (
    EndedBecause,
    GameAbandoned,
    GameEnded,
    GameStarted,
    OrderChanged,
    PhaseBegan,
    RegionChosen,
    RoundBegan,
    Standing,
    StepReached,
)
from core.game.events.hosting import (
    Authority,
    GamePaused,
    GameResumed,
    MoveCorrected,
    Rewound,
    TurnSkipped,
    Undoing,
)
from core.game.events.orders import MoveOrdered, OrderKind, OrdersRevealed, RevealedOrder

__all__ = [
    "AuctionDeclined",
    "AuctionOpened",
    "Authority",
    "BidPassed",
    "BidPlaced",
    "BoxedBecause",
    "BuildingEnded",
    "CaretakerAppointed",
    "CityConnected",
    "DeadlineExtended",
    "DeadlineMoved",
    "DraftPlayed",
    "EndedBecause",
    "Event",
    "FuelBought",
    "FuelRefilled",
    "GameAbandoned",
    "GameEnded",
    "GamePaused",
    "GameResumed",
    "GameStarted",
    "GraceGiven",
    "MadeBySitter",
    "MoveCorrected",
    "MoveForced",
    "MoveOrdered",
    "OrderChanged",
    "OrderKind",
    "OrdersRevealed",
    "OwnerReturned",
    "PhaseBegan",
    "PlantBought",
    "PlantBoxed",
    "PlantDiscarded",
    "PlantDrawn",
    "PlantMarket",
    "PlantPutUnder",
    "PlantsRun",
    "RegionChosen",
    "RevealedOrder",
    "Rewound",
    "RoundBegan",
    "SealedBid",
    "SealedBidGiven",
    "SealedBidsOpened",
    "SeatOpened",
    "SeatTaken",
    "StackShuffled",
    "Standing",
    "Step3CardBoxed",
    "StepReached",
    "TokenPlaced",
    "TokenRemoved",
    "TurnMissed",
    "TurnSkipped",
    "Undoing",
    "VacationBegan",
]

Event = (
    GameStarted
    | RegionChosen
    | RoundBegan
    | OrderChanged
    | PhaseBegan
    | TokenPlaced
    | TokenRemoved
    | AuctionOpened
    | AuctionDeclined
    | BidPlaced
    | BidPassed
    | SealedBidGiven
    | SealedBidsOpened
    | PlantBought
    | PlantDiscarded
    | PlantDrawn
    | PlantBoxed
    | PlantPutUnder
    | Step3CardBoxed
    | StackShuffled
    | StepReached
    | FuelBought
    | CityConnected
    | BuildingEnded
    | PlantsRun
    | FuelRefilled
    | GameEnded
    | TurnMissed
    | MoveForced
    | DraftPlayed
    | CaretakerAppointed
    | OwnerReturned
    | DeadlineExtended
    | GraceGiven
    | VacationBegan
    | MadeBySitter
    | SeatOpened
    | SeatTaken
    | GamePaused
    | GameResumed
    | TurnSkipped
    | MoveCorrected
    | Rewound
    | MoveOrdered
    | OrdersRevealed
    | GameAbandoned
)
