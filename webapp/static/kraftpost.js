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

  const turn = $("#turn");
  if (turn) {
    const purse = Number(turn.dataset.elektro);
    const total = $("p.total", turn);
    const amount = $("[data-amount]", turn);

    /* The sum of what is picked, and what is left. */
    const costs = () => {
      const bought = $$("select[data-costs]", turn)
        .map((select) => Number(select.dataset.costs.split(" ")[select.value] || 0));
      const built = $$("input[data-total]:checked", turn).map((box) => Number(box.dataset.total));
      return [...bought, ...built].reduce((a, b) => a + b, 0);
    };
    const several = () => $$("input[data-total]:checked", turn).length > 1;
    const add = () => {
      if (!total) { return; }
      const cost = costs();
      total.hidden = false;
      total.textContent = say(total.dataset[several() ? "about" : "exact"], { cost, left: purse - cost });
      total.classList.toggle("wrong", cost > purse && !several());
    };
    turn.addEventListener("change", add);
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
    if (order) {
      const boxes = $$("input[name=city]", turn);
      const target = (box) => $(`[data-city="${CSS.escape(box.value)}"]`);
      const ticked = (box) => {
        const others = order.value.split(",").filter((id) => id && id !== box.value);
        order.value = (box.checked ? [...others, box.value] : others).join(",");
        target(box)?.classList.toggle("picked", box.checked);
      };
      for (const box of boxes) {
        const city = target(box);
        if (box.checked) { city?.classList.add("picked"); }
        box.addEventListener("change", () => ticked(box));
        city?.classList.add("target");
        city?.addEventListener("click", () => { box.click(); });
      }
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

  /* While others are asked, look now and then whether something has happened. */
  const pulse = $("[data-pulse]");
  if (pulse) {
    setInterval(async () => {
      if (document.hidden) { return; }
      const answer = await fetch(pulse.dataset.pulse, { headers: { Accept: "application/json" } }).catch(() => null);
      if (answer?.ok && (await answer.json()).seq !== Number(pulse.dataset.seq)) { $("[data-news]").hidden = false; }
    }, 30000);
  }
})();
