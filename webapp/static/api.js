// The API's page: Swagger UI on our own description; it remembers no token.
window.addEventListener("load", () => {
  SwaggerUIBundle({
    url: document.getElementById("api").dataset.description,
    dom_id: "#api",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
  });
});
