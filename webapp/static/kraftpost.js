/* Makes the pages immediate; every page works without it. */
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  /* A form that does something is sent once, however often its button is pressed. */
  for (const form of $$("form[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) { event.preventDefault(); return; }
      form.dataset.sent = "1";
      setTimeout(() => $$("button", form).forEach((button) => { button.disabled = true; }));
    });
  }

  /* A new table says at once how long its game will take. */
  for (const told of $$("[data-length]")) {
    const form = told.closest("form");
    form.addEventListener("change", async () => {
      const answer = await fetch(told.dataset.length, { method: "POST", body: new FormData(form) });
      if (answer.ok) told.textContent = await answer.text();
    });
  }
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  const answer = () => {
    const turn = $("#turn");
    if (!turn) { return; }
    const purse = Number(turn.dataset.elektro);
    const total = $("p.total", turn);
    const amount = $("[data-amount]", turn);

    /* What the choice costs and does, as the server reckons it; the newest question counts. */
    let asked = 0;
    const rows = new Map($$("[data-row]", turn).map((row) => [row.dataset.row, row]));
    const spot = (city) => $(`[data-city="${CSS.escape(city)}"]`);
    const reprice = (found) => {
      for (const [city, row] of rows) {
        const price = found.rows.find((one) => one.id === city);
        const picked = found.picked.includes(city);
        row.hidden = !picked && !$("input", row).checked && (!price || price.dear);
        row.classList.toggle("picked", picked);
        if (!price) { continue; }
        row.classList.toggle("dear", price.dear);
        $("[data-place]", row).textContent = price.place;
        $("[data-parts]", row).textContent = `${price.house} + ${price.connection}`;
        $("[data-total]", row).textContent = price.total;
      }
      for (const place of $$(".map .target")) {
        const city = place.dataset.city;
        place.classList.toggle("picked", found.chosen.includes(city));
        place.classList.toggle("dear", !(city in found.map) || found.dear.includes(city));
        if (city in found.map) { $(".total", place).textContent = found.map[city]; }
      }
      const sum = $("[data-sum]", turn);
      sum.textContent = found.sum;
      sum.classList.toggle("wrong", found.short);
    };
    const reckon = async () => {
      const mine = ++asked;
      const fields = new URLSearchParams(new FormData(turn));
      fields.delete("csrf_token");
      const answer = await fetch(`${turn.dataset.reckon}?${fields}`).catch(() => null);
      if (!answer?.ok || mine !== asked) { return; }
      const found = await answer.json();
      if (found.rows) { reprice(found); }
      const told = $("[data-told]", turn);
      told?.replaceChildren(...found.told.map((text) => {
        const span = document.createElement("span");
        span.textContent = text;
        return span;
      }));
      turn.dataset.reckoned = mine;
    };
    /* Fuel has its prices at hand: the sum, and what one more would cost. */
    const add = () => {
      const bought = $$("select[data-costs]", turn);
      if (!total || !bought.length) { return; }
      let cost = 0;
      for (const select of bought) {
        const costs = select.dataset.costs.split(" ").map(Number);
        const n = Number(select.value);
        cost += costs[n] || 0;
        const next = $("[data-next]", select.parentNode);
        next.textContent = n + 1 < costs.length ? say(next.dataset.next, { price: costs[n + 1] - costs[n] }) : "";
      }
      total.hidden = false;
      total.textContent = say(total.dataset.exact, { cost, left: purse - cost });
      total.classList.toggle("wrong", cost > purse);
    };
    let later = 0;
    for (const kind of ["change", "input"]) {
      turn.addEventListener(kind, () => { turn.dataset.dirty = "1"; add(); clearTimeout(later); later = setTimeout(reckon, 60); });
    }
    add();

    /* Quick bids fill the field in. */
    for (const chip of $$("[data-chip]", turn)) {
      chip.addEventListener("click", (event) => {
        event.preventDefault();
        amount.value = chip.dataset.chip;
        const bid = $("input[name=act][value=bid]", turn);
        if (bid) { bid.checked = true; }
        amount.focus();
      });
    }
    if (amount) {
      const own = amount.closest("label")?.querySelector("input[type=radio]");
      amount.addEventListener("input", () => { if (own) { own.checked = true; } });
    }
    /* What a bid would leave. */
    const won = $("[data-won]", turn);
    const tell = () => {
      if (!won || !amount) { return; }
      won.hidden = !amount.value || Number(amount.value) > purse;
      won.textContent = say(won.dataset.won, { bid: amount.value, left: purse - amount.value });
    };
    for (const plant of $$("input[data-least]", turn)) {
      plant.addEventListener("change", () => {
        amount.min = plant.dataset.least;
        if (!amount.value || amount.dataset.filled) {
          amount.value = plant.dataset.least;
          amount.dataset.filled = "1";
        }
      });
    }
    for (const kind of ["input", "change", "click"]) { turn.addEventListener(kind, tell); }
    tell();

    /* Cities are built in the order in which they are ticked, in the list or on the map. */
    const order = $("[data-order]", turn);
    for (const [city, row] of rows) {
      const box = $("input", row);
      const place = spot(row.dataset.spot);
      box.addEventListener("change", () => {
        const others = order.value.split(",").filter((id) => id && id !== city);
        order.value = (box.checked ? [...others, city] : others).join(",");
      });
      for (const [one, other] of [[row, place], [place, row]]) {
        one?.addEventListener("pointerenter", () => {
          other?.classList.add("hover");
          if (other === row) { row.scrollIntoView({ block: "nearest" }); }
        });
        one?.addEventListener("pointerleave", () => other?.classList.remove("hover"));
      }
      box.addEventListener("focus", () => place?.classList.add("hover"));
      box.addEventListener("blur", () => place?.classList.remove("hover"));
    }
    for (const place of rows.size ? $$(".map .target") : []) {
      place.addEventListener("click", () => {
        const ways = [...rows.values()].filter((row) => row.dataset.spot === place.dataset.city && !row.hidden);
        const way = ways.find((row) => $("input", row).checked) || ways[0];
        if (way) { $("input", way).click(); }
      });
    }
  };
  answer();

  /* Where the board pans, it begins at one's own cities, or where one may build. */
  const board = $(".board");
  if (board && board.scrollWidth > board.clientWidth) {
    const wide = board.getBoundingClientRect();
    const spots = $$(".mine", board).length ? $$(".mine", board) : $$(".target:not(.dear)", board);
    const middles = spots.map((spot) => spot.getBoundingClientRect()).map((box) => box.left + box.width / 2 - wide.left);
    if (middles.length) { board.scrollLeft += middles.reduce((a, b) => a + b, 0) / middles.length - board.clientWidth / 2; }
  }

  /* The cities that are tapped make the line to be tried on a what-if board, or an order's list. */
  const tried = $("[data-tries]");
  if (tried) {
    const picked = [];
    for (const city of $$(".map .target")) {
      city.addEventListener("click", () => {
        const at = picked.indexOf(city);
        if (at < 0) { picked.push(city); } else { picked.splice(at, 1); }
        city.classList.toggle("picked", at < 0);
        const names = picked.map((one) => one.dataset.name).join(", ");
        tried.value = tried.dataset.tries + (names || (tried.dataset.tries && "nothing"));
        const order = $("input[name=build][value=cities]");
        if (order) { order.checked = Boolean(names); order.closest("details").open = true; }
      });
    }
  }

  /* New table: only the regions of the chosen map. */
  const map = $("select[data-maps]");
  if (map) {
    const show = () => {
      for (const part of $$("[data-map]")) { part.hidden = part.dataset.map !== map.value; }
    };
    map.addEventListener("change", show);
    show();
  }

  /* A table that lies open looks for what others do, and renews its parts; nothing that is typed,
     scrolled or opened is lost, for containers stay and only what they hold is changed. */
  const game = $(".game[data-pulse]");
  if (game) {
    const PARTS = [".game-head", ".fuel-sheet", ".plants-sheet", ".own .mine", ".players", ".log", ".chat", "#clocks"];
    let mark = game.dataset.mark;
    let last = 0;
    const number = (root) => $("#move input[name=turn]", root)?.value || "";
    const take = (old, fresh) => {
      if (!old || !fresh || old.innerHTML === fresh.innerHTML) { return; }
      const held = old.contains(document.activeElement) && document.activeElement !== old && document.activeElement.id;
      old.className = fresh.className;
      old.replaceChildren(...fresh.childNodes);
      if (held) { document.getElementById(held)?.focus(); }
    };
    const move = (fresh) => {
      const [old, now] = [$("#move"), $("#move", fresh)];
      if (number(document) && number(document) === number(fresh)) { return; }
      if ($("#move [data-dirty]") || $("#move .preview")) {
        if ($("[data-late]", old)) { return; }
        const note = document.createElement("p");
        note.dataset.late = "1";
        note.className = "notice bad";
        note.setAttribute("role", "alert");
        const link = Object.assign(document.createElement("a"), { href: game.dataset.page, textContent: game.dataset.show });
        note.append(`${game.dataset.moved} `, link);
        old.prepend(note);
        return;
      }
      take(old, now);
      take($(".board"), $(".board", fresh));
      answer();
    };
    const renew = async () => {
      const page = await fetch(game.dataset.page, { headers: { "X-Renew": "1" } }).catch(() => null);
      if (!page?.ok) { return; }
      const fresh = new DOMParser().parseFromString(await page.text(), "text/html");
      if (!$(".game", fresh)) { return; }
      mark = $(".game", fresh).dataset.mark || "";
      for (const part of PARTS) { if (part === ".log" && location.search.includes("by=")) { continue; } take($(part), $(part, fresh)); }
      move(fresh);
      document.title = fresh.title;
      $("link[rel=icon]").href = $("link[rel=icon]", fresh).href;
      $("[data-said]").textContent = $("#move h2")?.textContent || "";
    };
    const look = async () => {
      if (!mark || (document.hidden && Date.now() - last < 10000)) { return; }
      last = Date.now();
      const told = await fetch(game.dataset.pulse, { headers: { Accept: "application/json" } }).catch(() => null);
      if (told?.ok && (await told.json()).mark !== mark) { await renew(); }
    };
    const again = async () => { await look().catch(() => null); setTimeout(again, 2000); };
    setTimeout(again, 2000);
  }
})();
